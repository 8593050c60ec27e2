"""The jobs keeper against a JobManager that is only a table of job ids and states."""

import os
import zipfile
from dataclasses import replace

import pytest
from weir_keeper import Job, JobState, Unavailable, checkpoints, keeper, newest_complete
from weir_keeper.keeper import keep, latest, resume, tidy
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
        flink_url="https://nowhere",
        flink_key=tmp_path / "flink.pem",
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

    def failures(self, job_id):
        return []

    def upload(self, jar, name):
        return name

    def run(self, jar_id, job_id, arguments, parallelism, restore_from):
        assert job_id not in self.jobs, "refused as Flink does"
        self.jobs[job_id] = "RUNNING"
        self.submitted.append((jar_id, restore_from))
        self.arguments, self.parallelism = arguments, parallelism

    def stop_with_savepoint(self, job_id, folder):
        checkpoint(folder, "savepoint-1", at=1000)
        self.jobs[job_id] = "FINISHED"
        return "request"

    def savepoint_problem(self, job_id, request):
        return ""

    def cancel(self, job_id):
        self.jobs[job_id] = "CANCELED"


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
    assert [keep(place, flink_cluster, job) for _ in range(3)] == [False, True, True]
    assert [restored for _, restored in flink_cluster.submitted] == [None]


def test_well_is_a_job_of_which_what_is_in_force_runs_with_all_tasks(place, flink_cluster, job):
    keep(place, flink_cluster, job)
    job_id = JobState.load(place, job.name).job_id
    for seen, well in (("CREATED", False), ("RUNNING", True), ("RESTARTING", False)):
        flink_cluster.jobs[job_id] = seen
        assert keep(place, flink_cluster, job) is well
    changed(job.jar)
    flink_cluster.jobs[job_id] = "RUNNING"
    assert not keep(place, flink_cluster, job)


def test_the_keeper_tells_that_all_jobs_run_and_nothing_while_the_jobmanager_is_away(
    place, flink_cluster, job, tmp_path, monkeypatch
):
    well, looks = tmp_path / "well", iter(["submitted", "runs", "away"])

    def next_look(_seconds):
        seen.append((next(looks), well.exists()))
        well.unlink(missing_ok=True)
        if len(seen) == 2:
            monkeypatch.setattr(flink_cluster, "state", away)
        if len(seen) == 3:
            raise KeyboardInterrupt

    def away(_job_id):
        raise Unavailable("connection refused")

    seen = []
    monkeypatch.setattr(keeper, "FlinkRest", lambda _place: flink_cluster)
    monkeypatch.setattr(keeper, "declared_jobs", lambda _place: [job])
    monkeypatch.setattr(keeper.time, "sleep", next_look)
    with pytest.raises(KeyboardInterrupt):
        keeper.main(place, well)
    assert seen == [("submitted", False), ("runs", True), ("away", False)]


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


def with_state_format(jar, number):
    """A program that writes its state in this format."""
    with zipfile.ZipFile(jar, "w") as program:
        program.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\nWeir-State-Format: {number}\r\n")
    os.utime(jar, (number, number))


def test_a_program_that_cannot_read_the_state_starts_without_and_reads_all_again(place, flink_cluster, job):
    keep(place, flink_cluster, job)
    assert flink_cluster.arguments == ["--config", str(job.config)]
    with_state_format(job.jar, 2)
    assert JobState.load(place, job.name).is_of_other_state(job)
    for _ in range(3):
        keep(place, flink_cluster, job)
    reads_again = ["--config", str(job.config), "kafka.start=earliest"]
    assert (flink_cluster.submitted[-1][1], flink_cluster.arguments) == (None, reads_again)
    assert not JobState.load(place, job.name).is_of_other_state(job)

    # killed before its first checkpoint it has read nothing yet
    flink_cluster.jobs.clear()
    keep(place, flink_cluster, job)
    assert (flink_cluster.submitted[-1][1], flink_cluster.arguments) == (None, reads_again)

    own = checkpoint(checkpoints(place) / JobState.load(place, job.name).job_id, "chk-1", at=100)
    flink_cluster.jobs.clear()
    keep(place, flink_cluster, job)
    assert (flink_cluster.submitted[-1][1], flink_cluster.arguments) == (own, reads_again[:2])
    assert not JobState.load(place, job.name).reads_again


@pytest.mark.parametrize("problem", ["no space left", None], ids=["refused", "never ends"])
def test_a_job_that_writes_no_savepoint_goes_on_from_its_newest_checkpoint(
    place, flink_cluster, job, problem, monkeypatch
):
    """It writes none while ClickHouse does not answer, perhaps for the address that is to be changed."""
    monkeypatch.setattr(keeper, "STOP_SECONDS", 0)
    monkeypatch.setattr(flink_cluster, "stop_with_savepoint", lambda job_id, folder: "request")
    monkeypatch.setattr(flink_cluster, "savepoint_problem", lambda job_id, request: problem)
    keep(place, flink_cluster, job)
    newest = checkpoint(checkpoints(place) / JobState.load(place, job.name).job_id, "chk-3", at=30)
    changed(job.config)
    for _ in range(3):
        keep(place, flink_cluster, job)
    assert [restored for _, restored in flink_cluster.submitted] == [None, newest]


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


ENDED_ITSELF = """\
org.apache.flink.runtime.JobException: The failure is not recoverable
\tat org.apache.flink.runtime.scheduler.DefaultScheduler.handle(DefaultScheduler.java:250)
Caused by: java.io.IOException: Failed to deserialize consumer record due to
Caused by: org.apache.flink.runtime.execution.SuppressRestartsException: Unrecoverable failure.
\t... 22 more
Caused by: java.lang.IllegalStateException: A table is missing. Migrate it.
Caused by: org.apache.avro.message.MissingSchemaException: Cannot resolve schema
"""


def test_the_reason_of_a_job_that_ended_itself_is_its_own_and_else_the_last_cause():
    assert root_cause(ENDED_ITSELF) == "java.lang.IllegalStateException: A table is missing. Migrate it."
    assert root_cause(ENDED_ITSELF.replace("Suppress", "")).endswith("Cannot resolve schema")
    assert root_cause("only one line") == "only one line"


def test_a_checkpoint_that_is_gone_is_not_restored_from(place):
    state = JobState(name="x", generation=2, restored_from="/gone")
    assert latest(place, state) is None


OLDEST, OLD, NOW = (JobState(name="storage-analysis", generation=number).job_id for number in (1, 2, 3))


def metadata(folder, *names):
    """A complete checkpoint whose `_metadata` names paths between bytes that are no text."""
    folder.mkdir(parents=True, exist_ok=True)
    text = b"".join(b"\x00\x7f\xff" + name.encode() for name in names)
    (folder / "_metadata").write_bytes(b"\x49\x60\x06\x72" + text + b"\x00")


@pytest.fixture
def generations(place):
    """A job in its third generation: Flink has not yet removed what it claimed, and chk-31 is nobody's."""
    folder = checkpoints(place)
    for job_id, names in {OLDEST: ("chk-9",), OLD: ("chk-3", "chk-31", "chk-32")}.items():
        for name in names:
            metadata(folder / job_id / name)
        (folder / job_id / "shared").mkdir()
        (folder / job_id / "shared" / "sst").write_text("rows")
    claimed = folder / OLD / "chk-32"
    JobState(name="storage-analysis", generation=3, restored_from=str(claimed)).save(place)
    return folder


def left(folder):
    return {str(path.relative_to(folder)) for path in folder.glob("*/*")}


UNTOUCHED = {
    f"{OLDEST}/chk-9", f"{OLDEST}/shared",
    f"{OLD}/chk-3", f"{OLD}/chk-31", f"{OLD}/chk-32", f"{OLD}/shared",
}  # fmt: skip


@pytest.mark.parametrize("own", [(), ("chk-33",)])
def test_until_the_second_own_checkpoint_all_that_was_claimed_from_stays(place, generations, job, own):
    for name in own:
        metadata(generations / NOW / name)
    (generations / NOW / "chk-34").mkdir(parents=True)  # under way
    tidy(place, job)
    assert left(generations) - {f"{NOW}/chk-33", f"{NOW}/chk-34"} == UNTOUCHED


def test_what_a_checkpoint_still_names_stays_and_the_rest_of_older_generations_goes(place, generations, job):
    # not the newest names it: Flink starts from the one before if the newest turns out to be lost
    metadata(generations / NOW / "chk-33", f"file:{generations}/{OLD}/shared/sst")
    metadata(generations / NOW / "chk-34", f"file:{generations}/{OLD}/chk-31/private")
    other = generations / "0123456789abcdef0123456789abcdef" / "chk-1"
    metadata(other)
    tidy(place, job)
    assert left(generations) == {
        f"{OLD}/chk-31", f"{OLD}/chk-32", f"{OLD}/shared", f"{NOW}/chk-33", f"{NOW}/chk-34",
        f"{other.parent.name}/chk-1",
    }  # fmt: skip
    assert (generations / OLD / "shared" / "sst").exists()


def test_an_older_generation_that_no_checkpoint_names_goes_as_a_whole(place, generations, job):
    for name in ("chk-34", "chk-35"):
        metadata(generations / NOW / name, f"file:{generations}/{NOW}/shared/sst")
    tidy(place, job)
    assert left(generations) == {f"{NOW}/chk-34", f"{NOW}/chk-35"}


@pytest.mark.parametrize("state", [{"problem": "FAILED: poison"}, {"stopping": True}])
def test_nothing_is_removed_of_a_job_that_failed_or_is_being_stopped(place, generations, job, state):
    JobState.load(place, job.name).model_copy(update=state).save(place)
    for name in ("chk-34", "chk-35"):
        metadata(generations / NOW / name)
    tidy(place, job)
    assert left(generations) >= UNTOUCHED
