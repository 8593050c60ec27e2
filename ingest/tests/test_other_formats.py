"""Commands that take any format of records and samples: what is the same in two says the same."""

from zoneinfo import ZoneInfo

import numpy as np
import pytest
from weir.errors import Refused
from weir.formats import devices, scheduler
from weir.formats.device_record import COLUMNS
from weir.replay import center

UTC = ZoneInfo("UTC")
HEADER = "JobID|JobIDRaw|Cluster|State|Submit|Start|End"
LINE = "11/21/2026 09:12:1{n};{kind};7.srv;user=ann jobname=x queue=work ctime=1795248728 {rest}\n"


@pytest.fixture
def folder(recorded, tmp_path):
    """Of a center without logs."""
    (tmp_path / "darshan").mkdir()
    (tmp_path / "site.yaml").write_text((recorded / "site.yaml").read_text())
    return tmp_path


def loaded(folder, sacct, **iostat):
    listed = {
        "site": "site.yaml",
        "sacct": [sacct] if sacct else [],
        "darshan": ["darshan/*"],
        "iostat": iostat,
    }
    (folder / "center.yaml").write_text(str(listed))
    found = center.load(folder)
    assert found.refused == []
    return found


def test_sacct_json_makes_the_events_of_parsable2(folder, recorded, extra):
    (folder / "jobs").write_bytes((recorded / "sacct.psv").read_bytes())
    as_text = loaded(folder, "jobs").events
    (folder / "jobs").write_bytes((extra / "scheduler/generated_slurm/sacct.json").read_bytes())
    as_json = loaded(folder, "jobs").events
    # the recorded center has not all jobs of that file
    assert {(event.second, event.kind) for event in as_text} <= {(e.second, e.kind) for e in as_json}


def test_the_states_of_a_pbs_job_are_one_job(folder):
    (folder / "20261121").write_text(
        LINE.format(n=0, kind="Q", rest="")
        + LINE.format(n=1, kind="S", rest="start=1795248730")
        + LINE.format(n=2, kind="E", rest="start=1795248730 end=1795248739 Exit_status=0")
    )
    jobs = [event for event in loaded(folder, "20261121").events if event.kind == "job"]
    assert [event.second for event in jobs] == [1795248728, 1795248730, 1795248739]
    assert sum(event.counts["jobs"] for event in jobs) == 1


def test_text_of_iostat_adds_up_to_its_json(folder, extra):
    """Both ran beside the same loads."""
    own = extra / "devices/fio_runs"
    totals = []
    for name in ("iostat_1s.json", "iostat_xdkt_1s.txt"):
        (folder / name).write_bytes((own / name).read_bytes())
        samples = list(devices.samples(folder / name, devices.How(UTC), "lab", "vm"))
        values = sum(np.frombuffer(each["values"], "<f8").reshape(len(COLUMNS), -1) for each in samples)
        totals.append(dict(zip(samples[0]["columns"], values[:, 0].tolist(), strict=True)))
        assert len(loaded(folder, "", vm=[name]).events) == len(samples)
    for column in ("reads", "writes", "bytes_read", "bytes_written", "busy_seconds"):
        assert totals[0][column] == pytest.approx(totals[1][column], rel=0.01)


def test_only_what_has_an_identity_is_a_job_of_the_wire(tmp_path):
    file = tmp_path / "jobs.psv"
    file.write_text(f"{HEADER}\n7|7||PENDING|2026-11-21T08:00:00|Unknown|Unknown\n")
    (refused,) = scheduler.jobs(file, scheduler.How(UTC))
    assert isinstance(refused, Refused)
    (job,) = scheduler.jobs(file, scheduler.How(UTC, cluster="lab"))
    assert job["cluster"] == "lab"
