"""`weir log`, run as users run it, against what the recorded programs were told to do."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import fastavro
import pytest
from darshan_mutations import Anatomy
from darshan_writer import LogWriter

MIB = 1 << 20


def weir(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from weir.cli import main; main()", "log", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False)


@pytest.fixture(scope="module")
def rank0(recorded) -> Path:
    """16 processes, of which rank 0 wrote 512 times 1 MiB to one file."""
    return next(recorded.glob("darshan/generated/rank0_writer/*.darshan"))


@pytest.fixture
def damaged(recorded, tmp_path) -> Path:
    whole = next(recorded.glob("darshan/generated/hdf5_independent/*.darshan"))
    cut = tmp_path / "cut.darshan"
    cut.write_bytes(whole.read_bytes()[:-200])
    return cut


def test_json_tells_what_the_program_did(rank0):
    done = weir("show", "--json", rank0)
    told = json.loads(done.stdout)
    assert done.returncode == 0
    assert told["file"] == str(rank0)
    assert told["command"] == "/opt/center/pat rank0 . 512 1048576"
    assert (told["exe"], told["nprocs"], told["job_id"]) == ("pat", 16, 8)
    posix = told["modules"]["POSIX"]
    assert (posix["state"], posix["records"]) == ("complete", 1)
    assert (posix["bytes_read"], posix["bytes_written"]) == (0, 512 * MIB)
    rate = 512 / posix["agg_time_by_slowest_seconds"]
    assert posix["agg_perf_by_slowest_mib_per_second"] == pytest.approx(rate)


def test_every_file_has_its_line_and_the_unreadable_one_its_reason(rank0, damaged, tmp_path):
    text = tmp_path / "notes.darshan"
    text.write_text("no log\n")
    done = weir("show", "--json", text, tmp_path / "absent", damaged, rank0)
    first, second, third, last = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert first == {"file": str(text), "error": "no Darshan log: text (byte 0)"}
    assert second["error"] == "No such file or directory"
    assert "damaged" in {module["state"] for module in third["modules"].values()}
    assert last["modules"]["POSIX"]["state"] == "complete"


def test_damage_has_an_exit_code_of_its_own(damaged):
    done = weir("show", damaged)
    assert done.returncode == 3
    assert b"compressed data is cut" in done.stdout


def test_damaged_names_are_told(tmp_path):
    log, file = LogWriter(), tmp_path / "names.darshan"
    log.add("POSIX", 4, [{"name": b"/a"}, {"name": b"/b"}])
    anatomy = Anatomy(log.to_bytes())
    names = dict(anatomy.regions())["names"]
    file.write_bytes(anatomy.with_region("names", anatomy.inflated(names)[:-1]))
    shown, as_json = weir("show", file), weir("show", "--json", file)
    assert (shown.returncode, as_json.returncode) == (3, 3)
    assert b"names: name 2 is cut" in shown.stdout
    told = json.loads(as_json.stdout)
    assert told["names_damage"] == "name 2 is cut"
    assert told["modules"]["POSIX"]["state"] == "complete"
    rows = weir("records", file, "--module", "POSIX")
    assert (rows.returncode, len(rows.stdout.splitlines())) == (3, 3)
    assert rows.stderr.decode().strip() == f"weir: {file}: the names are damaged: name 2 is cut"


def test_a_person_sees_run_files_and_heatmap(rank0):
    shown = weir("show", rank0).stdout.decode()
    assert "512.0 MiB" in shown
    assert "processes 16" in shown
    assert "POSIX  /scratch1/generated_rank0_writer/" in shown
    assert "       0 │" in shown


def test_records_say_the_same_in_every_form(rank0):
    csv_rows = list(csv.DictReader(io.StringIO(weir("records", rank0, "--module", "POSIX").stdout.decode())))
    lines = weir("records", rank0, "--module", "POSIX", "--format", "jsonl").stdout.splitlines()
    avro = weir("records", rank0, "--module", "POSIX", "--format", "avro").stdout
    (row,), (json_row,), (avro_row,) = csv_rows, map(json.loads, lines), fastavro.reader(io.BytesIO(avro))
    assert (row["rank"], row["POSIX_WRITES"], row["POSIX_BYTES_WRITTEN"]) == ("0", "512", str(512 * MIB))
    assert row == {name: str(value) for name, value in json_row.items()}
    assert avro_row | {"id": avro_row["id"] % 2**64} == json_row


def test_a_module_that_is_not_there_names_those_that_are(rank0):
    done = weir("records", rank0, "--module", "posixx")
    assert done.returncode == 1
    assert done.stderr.decode().strip() == "weir: no records of posixx in this log; it has POSIX, HEATMAP"


def test_heatmap_bins_are_rows(rank0):
    text = weir("records", rank0, "--module", "HEATMAP").stdout.decode()
    assert sum(int(row["bytes_written"]) for row in csv.DictReader(io.StringIO(text))) == 512 * MIB


def test_a_files_time_is_that_of_its_slowest_process(extra):
    # IOR on 8 processes reported 5.3 s; summed over them it is 36.6 s
    (log,) = extra.glob("real_ior/sci_ior_id5003-*.darshan")
    lines = weir("show", log).stdout.decode().splitlines()
    (line,) = (line for line in lines if "POSIX  /data/scratch/shared_big" in line)
    seconds = float(line.split(" s ")[0].split()[-1])
    assert 4 < seconds < json.loads(weir("show", "--json", log).stdout)["run_time_seconds"]
