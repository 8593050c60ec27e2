"""The jobs keeper against a JobManager that is only a table of job ids and states."""

import os
from dataclasses import replace

import pytest
from weir_keeper import Job, JobState, checkpoints, newest_complete
from weir_keeper.keeper import keep, latest, resume
from weir_keeper.place import Settings
from weir_keeper.rest import root_cause


def checkpoint(folder, name, at, complete=True):
    path = folder / name
    path.mkdir(parents=True)
    if complete:
        (path / "_metadata").write_text("x")
        os.utime(path / "_metadata", (at, at))
    return path


def test_the_newest_checkpoint_is_by_time_and_only_a_complete_one(tmp_path):
    checkpoint(tmp_path / "a", "chk-9", at=100)
    newest = checkpoint(tmp_path / "a", "chk-10", at=200)
    checkpoint(tmp_path / "a", "chk-11", at=300, complete=False)
    checkpoint(tmp_path / "b", "savepoint-1", at=150)
    assert newest_complete([tmp_path / "a", tmp_path / "b", tmp_path / "none"]) == newest
    assert newest_complete([tmp_path / "none"]) is None


@pytest.fixture
def place(tmp_path):
    return Settings(
        flink_url="http://nowhere",
        programs=tmp_path / "programs",
        conf=tmp_path / "conf",
        data=tmp_path / "data",
    )


class JobManager:
    """Answers like FlinkRest."""

    def __init__(self):
        self.jobs, self.submitted = {}, []

    def state(self, job_id):
        return self.jobs.get(job_id)

    def root_exception(self, job_id):
        return "poison"

    def upload(self, jar, name):
        return name

    def run(self, jar_id, job_id, arguments, parallelism, restore_from):
        assert job_id not in self.jobs, "refused as Flink does"
        self.jobs[job_id] = "RUNNING"
        self.submitted.append((jar_id, restore_from))
        self.parallelism = parallelism

    def stop_with_savepoint(self, job_id, folder):
        checkpoint(folder, "savepoint-1", at=1000)
        self.jobs[job_id] = "FINISHED"
        return "request"

    def savepoint_problem(self, job_id, request):
        return ""


@pytest.fixture
def flink_cluster():
    return JobManager()


@pytest.fixture
def job(tmp_path):
    jar, config = tmp_path / "job.jar", tmp_path / "jobs.properties"
    jar.write_text("one")
    config.write_text("key=value")
    return Job("storage-analysis", jar, config, parallelism=2)


def changed(file):
    """Other bytes, at another time."""
    file.write_text("two, longer")
    os.utime(file, (1, 1))


def test_a_job_is_submitted_once(place, flink_cluster, job):
    for _ in range(3):
        keep(place, flink_cluster, job)
    assert [restored for _, restored in flink_cluster.submitted] == [None]


def test_a_forgetful_jobmanager_gets_the_job_back_from_its_newest_checkpoint(place, flink_cluster, job):
    keep(place, flink_cluster, job)
    state = JobState.load(place, job.name)
    newest = checkpoint(checkpoints(place) / state.job_id, "chk-7", at=70)
    flink_cluster.jobs.clear()
    keep(place, flink_cluster, job)
    assert flink_cluster.submitted[-1][1] == newest
    assert JobState.load(place, job.name).job_id != state.job_id


def test_killed_again_before_its_first_checkpoint_it_starts_from_where_it_was_restored(
    place, flink_cluster, job
):
    keep(place, flink_cluster, job)
    first = JobState.load(place, job.name)
    newest = checkpoint(checkpoints(place) / first.job_id, "chk-7", at=70)
    for _ in range(3):
        flink_cluster.jobs.clear()
        keep(place, flink_cluster, job)
    assert [restored for _, restored in flink_cluster.submitted] == [None, newest, newest, newest]


@pytest.mark.parametrize("what", ["jar", "config", "parallelism"])
def test_what_has_changed_continues_from_a_savepoint(place, flink_cluster, job, what):
    keep(place, flink_cluster, job)
    if what == "parallelism":
        job = replace(job, parallelism=4)
    else:
        changed(getattr(job, what))
    for _ in range(3):
        keep(place, flink_cluster, job)
    assert len(flink_cluster.submitted) == 2
    assert flink_cluster.submitted[-1][1].name == "savepoint-1"
    assert flink_cluster.parallelism == job.parallelism
    assert JobState.load(place, job.name).is_up_to_date(job)


def test_a_job_that_failed_stays_down_over_restarts_until_it_is_resumed(place, flink_cluster, job):
    keep(place, flink_cluster, job)
    state = JobState.load(place, job.name)
    newest = checkpoint(checkpoints(place) / state.job_id, "chk-3", at=30)
    flink_cluster.jobs[state.job_id] = "FAILED"
    keep(place, flink_cluster, job)
    assert JobState.load(place, job.name).problem == "FAILED: poison"
    flink_cluster.jobs.clear()
    keep(place, flink_cluster, job)
    assert len(flink_cluster.submitted) == 1
    resume(place, job.name)
    keep(place, flink_cluster, job)
    assert flink_cluster.submitted[-1][1] == newest


STORM = """\
org.apache.flink.runtime.JobException: The failure is not recoverable
\tat org.apache.flink.runtime.scheduler.DefaultScheduler.handle(DefaultScheduler.java:250)
Caused by: java.io.IOException: Failed to deserialize consumer record due to
Caused by: org.apache.flink.runtime.execution.SuppressRestartsException: Unrecoverable failure.
\t... 22 more
Caused by: java.lang.IllegalStateException: More than 200 of 1000 were refused. Mend the producer.
Caused by: org.apache.avro.message.MissingSchemaException: Cannot resolve schema
"""


def test_the_reason_of_a_job_that_ended_itself_is_its_own_and_else_the_last_cause():
    assert (
        root_cause(STORM)
        == "java.lang.IllegalStateException: More than 200 of 1000 were refused. Mend the producer."
    )
    assert root_cause(STORM.replace("Suppress", "")).endswith("Cannot resolve schema")
    assert root_cause("only one line") == "only one line"


def test_a_checkpoint_that_is_gone_is_not_restored_from(place):
    state = JobState(name="x", generation=2, restored_from="/gone")
    assert latest(place, state) is None
