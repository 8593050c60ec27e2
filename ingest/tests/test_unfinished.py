"""What killed processes of a run left, as weir analyze tells it: of all a run, of some a part, none twice."""

import json
import lzma
import subprocess
import sys
from pathlib import Path

import killed_run
import pytest
from darshan_writer import file_of_rank
from weir.analyze.offline import Inputs, analyze, as_objects
from weir.darshan import open_log
from weir.report import render, view

DATA = Path(__file__).parents[2] / "tests/data/killed"
WEIR = Path(sys.executable).with_name("weir")


@pytest.fixture
def real(tmp_path):
    """Two logs of real Darshan 3.5, of a run with four processes."""
    packed = sorted(DATA.glob("*_mmap-log-*.xz"))
    assert len(packed) == 2
    for file in packed:
        (tmp_path / file.stem).write_bytes(lzma.decompress(file.read_bytes()))
    return sorted(tmp_path.glob("*.darshan"))


def imbalanced(folder, nprocs=8, **of_log):
    """The process of rank 0 wrote 64 MiB in requests of 4 KiB, the others nothing."""
    files = killed_run.leave(folder, nprocs, **of_log)
    for rank, file in enumerate(files):
        records = [file_of_rank(b"/scratch/own.%d" % rank, rank, writes=[])]
        if rank == 0:
            records = [file_of_rank(b"/scratch/all", 0, writes=[4096] * 16384, seconds=120)]
        file.write_bytes(killed_run.log_of(rank, records, nprocs=nprocs, **of_log).to_bytes())
    return files


def report_of(analysis):
    (report,) = view.reports(analysis)
    return " ".join(render.text(report).plain.split())


def test_each_is_whole_and_has_no_end(real):
    for file in real:
        log = open_log(file)
        assert log.job.is_unfinished
        assert log.damage is None
        assert sum(len(batch.ids) for batch in log.records("POSIX")) == 3
        assert log.state("POSIX").state == "complete"


def test_logs_of_some_processes_are_one_run_of_which_nothing_is_judged(real):
    analysis = analyze(real, Inputs())
    ((run,),) = (job.runs for job in analysis.jobs)
    assert (run.facts["log_state"], run.facts["run_time_seconds"]) == ("unfinished", None)
    assert run.facts["findings"] == []
    features = run.facts["features"]
    assert features["io_share"]["value"] is None
    # three checkpoints of 16 MiB: what each process had written when it was killed
    moved = {"value": 96 << 20, "evidence_class": "lower_bound", "incomplete": True}
    assert features["posix_bytes"] == moved
    assert features["mapped_processes"]["value"] == 2
    text = report_of(analysis)
    assert "sound memory-mapped logs of 2 of its 4 processes are here" in text
    assert "nothing was judged" in text
    assert "Verdict: Unknown" in text
    assert "MPI-IO" not in text


def test_logs_of_all_processes_are_judged_until_they_were_killed(tmp_path):
    files = imbalanced(tmp_path)
    analysis = analyze(files, Inputs())
    assert analysis.refused == []
    (run,) = analysis.runs
    told = run.facts
    assert told["log_state"] == "killed"
    assert (told["run_time_seconds"], told["features"]["io_share"]["value"]) == (None, None)
    assert told["features"]["posix_bytes"] == {"value": 64 << 20, "evidence_class": "exact"}
    assert told["features"]["io_time_seconds"]["value"] == pytest.approx(120, rel=1e-3)
    held = {finding["id"]: finding for finding in told["findings"]}
    assert held["rank0_io"]["evidence_class"] == "exact"
    assert "small_io" in held
    assert told["cost"]["time_lost_seconds"] is None
    assert told["verdict"]["value"] == "unknown"
    text = report_of(analysis)
    assert "All 8 processes were killed; this is merged of the memory-mapped logs that they left" in text
    assert "(exact, until it was killed)" in text or "exact, until it was killed" in text
    assert "ran with 8 processes until it was killed" in text


def test_without_the_log_of_one_process_nothing_is_judged(tmp_path):
    files = imbalanced(tmp_path)
    (run,) = analyze(files[:7], Inputs()).runs
    assert (run.facts["log_state"], run.facts["findings"]) == ("unfinished", [])


def test_two_runs_of_one_job_are_told_apart(tmp_path):
    first = imbalanced(tmp_path / "a")
    second = killed_run.leave(tmp_path / "b", 2, start=(killed_run.START + 9, 5))
    for file in second:
        file.rename(file.with_name(file.name.replace(str(killed_run.NUMBER), "7")))
    (job,) = analyze([*first, *sorted((tmp_path / "b").iterdir())], Inputs()).jobs
    assert [(run.facts["nprocs"], run.facts["log_state"]) for run in job.runs] == [
        (8, "killed"),
        (2, "killed"),
    ]


def test_a_run_that_has_its_own_log_is_told_once(tmp_path):
    files = imbalanced(tmp_path)
    own = tmp_path / "sci_forever_id5023-7_11-23-51618-5_1.darshan"
    start = (killed_run.START, 100_000_000)
    log = killed_run.log_of(0, nprocs=8, start=start, end=(killed_run.START + 60, 5))
    own.write_bytes(log.to_bytes())
    analysis = analyze([*files, own], Inputs())
    assert [run.file for run in analysis.runs] == [own]
    reason = f"of a run that came to its end: {own} is its log"
    assert analysis.refused == [(file, reason) for file in files]


def test_a_log_with_an_end_is_of_one_process_all_the_same(tmp_path):
    """Darshan removes the file just after it has noted the end."""
    files = imbalanced(tmp_path)
    for rank in range(8):
        log = killed_run.log_of(rank, nprocs=8, end=(killed_run.START + 60, 5))
        files[rank].write_bytes(log.to_bytes())
    analysis = analyze(files, Inputs())
    assert analysis.jobs == []
    assert {reason for _, reason in analysis.refused} == {
        "it has an end: its process had begun to write the log of the run"
    }


def test_the_command_has_an_object_a_run_and_names_what_is_left_out(tmp_path):
    files = imbalanced(tmp_path / "a")
    files[3].write_bytes(b"text")
    done = subprocess.run([WEIR, "analyze", "--json", tmp_path / "a"], capture_output=True, text=True)
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["files"] == [str(file) for file in files if file != files[3]]
    assert (first["log_state"], first["features"]["mapped_processes"]["value"]) == ("unfinished", 7)
    assert second == {"file": str(files[3]), "error": "no Darshan log: text"}
    assert f"weir: {files[3]}: no Darshan log: text" in done.stderr
    assert done.returncode == 1


def test_objects_of_a_set_of_which_nothing_can_be_read(tmp_path):
    files = killed_run.leave(tmp_path, 2)
    for file in files:
        file.write_bytes(b"text")
    analysis = analyze(files, Inputs())
    assert [each["error"] for each in as_objects(files, analysis)] == ["no Darshan log: text"] * 2


def test_heatmaps_with_bins_of_several_widths_add_up(tmp_path):
    """Rank 0 has bins of 0.1 s, rank 1 of 0.2 s: bytes lie where they were moved."""
    analysis = analyze(killed_run.leave(tmp_path, 2), Inputs())
    (run,) = analysis.runs
    width, written, read = killed_run.HEAT
    assert run.heatmap.bin_seconds == pytest.approx(2 * width)
    moved = [a + b for a, b in zip(written, read, strict=True)]
    assert run.heatmap.cells["POSIX"].tolist() == [[moved[0] + moved[1], moved[2], 0], moved]
