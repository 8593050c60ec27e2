"""`weir log`, run as users run it, against what the recorded programs were told to do."""

import csv
import io
import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import fastavro
import libdarshan
import pytest
import written_log
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


def test_numbers_of_a_module_whose_checksum_fails_are_not_told(rank0, tmp_path):
    content = bytearray(rank0.read_bytes())
    offset, length = dict(Anatomy(bytes(content)).regions())["POSIX"]
    content[offset + length - 1] ^= 1  # of the checksum, which stands last
    (file := tmp_path / "flipped.darshan").write_bytes(content)
    shown, as_json = weir("show", file), weir("show", "--json", file)
    assert (shown.returncode, as_json.returncode) == (3, 3)
    told = json.loads(as_json.stdout)["modules"]["POSIX"]
    assert told["state"] == "damaged"
    assert "bytes_written" not in told
    assert b"512.0 MiB" not in shown.stdout.split(b"incorrect data check")[0]


def test_a_second_log_in_the_file_is_told(rank0, tmp_path):
    file, size = tmp_path / "two.darshan", rank0.stat().st_size
    file.write_bytes(2 * rank0.read_bytes())
    reason = f"{size} bytes after the end of the log; another Darshan log begins at byte {size}"
    shown, as_json = weir("show", file), weir("show", "--json", file)
    assert (shown.returncode, as_json.returncode) == (3, 3)
    assert f"not read: {reason}" in shown.stdout.decode()
    told = json.loads(as_json.stdout)
    assert (told["trailing"], told["modules"]["POSIX"]["bytes_written"]) == (reason, 512 * MIB)
    rows = weir("records", file, "--module", "POSIX")
    assert (rows.returncode, len(rows.stdout.splitlines())) == (3, 2)
    assert rows.stderr.decode().strip() == f"weir: {file}: not read: {reason}"


def test_a_lustre_component_without_stripes_has_a_row(tmp_path):
    """As libdarshan lists it: a component of a layout that no byte has reached has no target yet."""
    log, file = LogWriter(), tmp_path / "composite.darshan"
    layouts = ((2, 0, b"flash"), (0, 1 << 30, b"disk"), (1, 2 << 30, b"disk"))
    parts = [
        {"LUSTRE_COMP_STRIPE_SIZE": MIB, "LUSTRE_COMP_STRIPE_COUNT": stripes, "LUSTRE_COMP_EXT_START": start,
         "pool": pool}
        for stripes, start, pool in layouts
    ]  # fmt: skip
    log.add("LUSTRE", 2, [
        {"name": b"/lus/a", "rank": -1, "components": parts, "targets": [7, 9, 3]},
        {"name": b"/lus/b", "rank": 0, "components": parts[1:2], "targets": []},
    ])  # fmt: skip
    file.write_bytes(log.to_bytes())
    expected = [
        (name, number, part["counters"]["LUSTRE_COMP_EXT_START"], part["pool_name"], target)
        for name, record in zip(("/lus/a", "/lus/b"), libdarshan.read(file)[0]["lustre"], strict=True)
        for number, part in enumerate(record["components"])
        for target in (part["ost_ids"] or [None])
    ]
    assert [row[-1] for row in expected] == [7, 9, None, 3, None]
    names = ("name", "component", "LUSTRE_COMP_EXT_START", "pool", "ost")
    avro = weir("records", file, "--module", "LUSTRE", "--format", "avro").stdout
    lines = weir("records", file, "--module", "LUSTRE", "--format", "jsonl").stdout.splitlines()
    for rows in (map(json.loads, lines), fastavro.reader(io.BytesIO(avro))):
        assert [tuple(row[name] for name in names) for row in rows] == expected
    text = weir("records", file, "--module", "LUSTRE").stdout.decode()
    assert [row["ost"] for row in csv.DictReader(io.StringIO(text))] == ["7", "9", "", "3", ""]


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


def test_no_form_gives_a_terminal_what_it_obeys(tmp_path):
    hostile = b"/lus/\x1b]0;owned\x07\x1b[2J\xc2\x9b31m\xe2\x80\xae" + b"\xff"
    log = written_log.write(tmp_path / "job.darshan", [written_log.File(hostile, 64, 1 << 20, 1.0)])
    cut = tmp_path / "\x1b[2Jcut.darshan"
    cut.write_bytes(log.read_bytes()[:-20])
    for done in (
        weir("records", log, "--module", "POSIX"),
        weir("records", log, "--module", "POSIX", "--format", "jsonl"),
        weir("show", log),
        weir("show", "--json", log),
        weir("records", cut, "--module", "POSIX"),
        weir("records", cut, "--module", "\x1b[2J"),
        weir("show", cut, tmp_path / "\x1b[2J"),
    ):
        text = (done.stdout + done.stderr).decode()
        assert text
        assert {c for c in text if unicodedata.category(c)[0] == "C"} <= {"\n"}
    (row,) = csv.DictReader(io.StringIO(weir("records", log, "--module", "POSIX").stdout.decode()))
    assert row["name"] == r"/lus/\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\xff"


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
