"""Runs of IOR that one user made in many ways: only a slower run of the same way is slower than usual."""

import hashlib
import json
from datetime import timedelta
from pathlib import Path

import pytest
from weir.analyze import offline
from weir.logs import darshan_log

pytestmark = pytest.mark.usefixtures("analysis_jar")
COPIES = 6
# of other configurations that compare nonetheless
ALIKE = {
    "fpp_large_aligned": "128 writes of 4 MiB of 16 processes of one node through the page cache, and as "
    "many of 8 processes past it (O_DIRECT), which no counter tells",
}


@pytest.fixture
def of_one_user(monkeypatch, tmp_path):
    """Analyze logs as days of one user's `ior`, on each all of them; gives (day, log) of slow_vs_history."""
    real = darshan_log.stream

    def stream(place, source):
        parts = real(place, source)
        day = int(place.name.partition(b"@")[0])
        parts.header |= {"uid": 1001, "exe": "ior", "job_id": 100 * parts.header["job_id"] + day}
        for key in ("start_time", "end_time"):
            parts.header[key] += timedelta(days=day)
        parts.log_id = hashlib.md5(b"%d %s" % (day, parts.log_id.encode())).hexdigest()
        return parts

    monkeypatch.setattr(darshan_log, "stream", stream)

    def of_one_user(logs, days):
        copies = {}
        for day in range(days):
            for number, log in enumerate(logs):
                copies[tmp_path / f"{day}@{number}@{log.name}"] = day, log
        for copy, (_, log) in copies.items():
            copy.write_bytes(log.read_bytes())
        found = offline.analyze(list(copies), offline.Inputs())
        assert len(found.runs) == len(copies)
        compared = sum(run.facts["baseline"]["runs"] >= 5 for run in found.runs)
        return compared, [
            copies[run.file]
            for run in found.runs
            if "slow_vs_history" in [finding["id"] for finding in run.facts["findings"]]
        ]

    return of_one_user


def ior(folder: Path) -> list[Path]:
    return [
        log for log in sorted(folder.rglob("*ior*.darshan")) if "bad" not in log.parts and "_ior" in log.name
    ]


def labelled(logs):
    """Those that ran beside a noisy neighbor, as their labels say."""
    truths = {log: json.loads((log.parent / "truth.json").read_text()) for log in logs}
    return {log for log, truth in truths.items() if "slow_vs_history" in truth["expected_flags"]}


def test_ways_of_one_program_are_not_each_others_history(recorded, of_one_user):
    logs = ior(recorded / "darshan")
    compared, slow = of_one_user(logs, 1)
    assert {log for _, log in slow} == labelled(logs)
    assert len(logs) > 20
    assert compared >= 3


def test_ways_that_were_run_often_are_not_each_others_history(recorded, of_one_user):
    logs = ior(recorded / "darshan")
    compared, slow = of_one_user(logs, COPIES)
    assert compared > len(logs)  # each is compared with its own copies at least
    assert {log.parent.name for _, log in slow} - {log.parent.name for log in labelled(logs)} == ALIKE.keys()


def test_all_runs_of_ior_that_there_are(extra, recorded, of_one_user):
    logs = ior(extra)
    truths = {log.name for log in labelled(ior(recorded / "darshan"))}
    for days in (1, COPIES):
        compared, slow = of_one_user(logs, days)
        others = {log.parent.name for _, log in slow if log.name not in truths}
        assert others <= ALIKE.keys()
        assert days == 1 or compared > len(logs)
        assert not [log for _, log in slow if log.parent.name == "real_ior"]
