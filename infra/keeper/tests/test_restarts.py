"""Restarts for the same cause, and what is said of them."""

import pytest
from weir_keeper import keeper
from weir_keeper.declared import Job
from weir_keeper.place import Settings, restarts
from weir_keeper.restarts import (
    FEW,
    MOST_KEPT,
    OVER_SECONDS,
    RECENT_SECONDS,
    Restart,
    counted,
    loop,
    note,
    read,
)
from weir_keeper.state import JobState

NOW = 1_000_000.0


def failing(times, cause="OutOfMemoryError: {}", part="job-analysis", every=60):
    return [Restart(time=NOW - every * n, part=part, cause=cause.format(n)) for n in range(times)]


def test_more_than_a_few_restarts_for_one_cause_are_a_loop_whatever_numbers_it_names():
    assert loop(counted(failing(FEW)), "job-analysis", NOW) is None
    found = loop(counted(failing(FEW + 1)), "job-analysis", NOW)
    assert "4 times in 15 minutes: OutOfMemoryError: 0" in str(found)


def test_other_parts_causes_and_times_are_no_loop():
    assert loop(counted(failing(FEW + 1)), "job-analysis", NOW + OVER_SECONDS + 1) is None
    others = failing(9, part="kafka") + failing(9, every=RECENT_SECONDS)
    causes = [Restart(time=NOW, part="job-analysis", cause=cause) for cause in "abcdefgh"]
    assert loop(counted(others + causes), "job-analysis", NOW) is None


def test_the_file_has_each_restart_once_and_the_newest_of_many(tmp_path):
    file = tmp_path / "restarts.jsonl"
    note(file, failing(3))
    note(file, failing(4))
    assert [(each.time, each.times) for each in read(file)] == [(NOW - 60 * n, 4 - n) for n in (3, 2, 1, 0)]
    note(file, failing(2 * MOST_KEPT))
    assert len(read(file)) == MOST_KEPT
    assert read(file)[-1].time == NOW


@pytest.mark.parametrize("content", [b'{"time": 1, "par', b"\xff\xfe", b"[]\n"])
def test_a_damaged_file_is_begun_anew(tmp_path, content):
    file = tmp_path / "restarts.jsonl"
    file.write_bytes(content)
    note(file, failing(1))
    assert read(file) == failing(1)


class Failing:
    """A JobManager on which a job runs at every look and has failed between them."""

    def __init__(self, url=""):
        pass

    def state(self, job_id):
        return "RUNNING"

    def failures(self, job_id):
        return [(keeper.time.time() - n, "WireException: bytes") for n in range(FEW + 1)]


def test_a_job_that_loops_is_not_running_and_says_why(tmp_path, monkeypatch):
    place = Settings(
        flink_url="http://nowhere",
        flink_key=tmp_path / "key",
        programs=tmp_path,
        conf=tmp_path,
        data=tmp_path,
    )
    jar = tmp_path / "job-analysis.jar"
    jar.write_text("one")
    job = Job("job-analysis", jar, jar, 2)
    JobState(
        name=job.name, generation=1, jar_hash=job.jar_hash, config_hash=job.config_hash, parallelism=2
    ).save(place)
    monkeypatch.setattr(keeper, "declared_jobs", lambda place: [job])
    monkeypatch.setattr(keeper, "FlinkRest", Failing)
    keeper.check(place)
    keeper.note_failures(place, Failing(), job)
    assert len(read(restarts(place))) == FEW + 1
    with pytest.raises(
        keeper.NotRunning, match=r"job-analysis restarts again and again, 4 times .*: WireException"
    ):
        keeper.check(place)
