"""What killed processes left of a run with four: two logs of real Darshan 3.5, unfinished, nothing judged."""

import lzma
from pathlib import Path

import pytest
from weir.analyze import Inputs, analyze
from weir.darshan import open_log
from weir.report import render, view

DATA = Path(__file__).parents[2] / "tests/data/killed"


@pytest.fixture
def killed(tmp_path):
    packed = sorted(DATA.glob("*_mmap-log-*.xz"))
    assert len(packed) == 2
    for file in packed:
        (tmp_path / file.stem).write_bytes(lzma.decompress(file.read_bytes()))
    return sorted(tmp_path.glob("*.darshan"))


def test_each_is_whole_and_has_no_end(killed):
    for file in killed:
        log = open_log(file)
        assert log.job.is_unfinished
        assert log.damage is None
        assert sum(len(batch.ids) for batch in log.records("POSIX")) == 3
        assert log.state("POSIX").state == "complete"


def test_nothing_is_judged_of_them(killed):
    analysis = analyze(killed, Inputs())
    (job,) = analysis.jobs
    for run in job.runs:
        assert (run.told["log_state"], run.told["run_time_seconds"]) == ("unfinished", None)
        assert run.told["findings"] == []
        assert run.told["features"]["io_share"]["value"] is None
        # three checkpoints of 16 MiB: what each process had written when it was killed
        assert run.told["features"]["posix_bytes"]["value"] == 48 << 20
        assert run.told["features"]["bytes_written"]["evidence_class"] == "lower_bound"
    (report,) = view.reports(analysis)
    text = " ".join(render.text(report).plain.split())
    assert "did not come to its end" in text
    assert "a process was killed" in text
    assert "Verdict: Unknown" in text
