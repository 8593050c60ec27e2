"""The jobs keeper: a loop that compares what should run with what the JobManager knows.

| the JobManager says | and | the keeper |
|---|---|---|
| nothing | never submitted | submits |
| nothing | submitted before | submits from the newest complete checkpoint |
| it runs | what is active for it has changed | stops it with a savepoint, submits it from there |
| it ended | the keeper stopped it | submits it again |
| it ended | its new program cannot read the state | submits it without; it reads all again that Kafka keeps |
| it ended | by itself | records the problem and leaves it, also over restarts, until it is resumed |
"""

import shutil
import time
from itertools import count
from pathlib import Path

import structlog

from weir_keeper.checkpoints import newest_complete, superseded
from weir_keeper.declared import Job, declared_jobs
from weir_keeper.place import Place, checkpoints, restarts, savepoints
from weir_keeper.rest import ENDED, FlinkRest, Unavailable
from weir_keeper.restarts import Loop, Restart, loop, note, read
from weir_keeper.state import JobState

PERIOD_SECONDS = 2
STOP_SECONDS = 90
READ_AGAIN = ("kafka.start=earliest",)
LOOKS_PER_TIDYING = 30
LOOKS_PER_NOTE = 5

log = structlog.get_logger()


class NotRunning(Exception):
    """A job that should run does not; the text says which and what was seen."""


class Ended(NotRunning):
    """It ended by itself, and only `resume` brings it back."""


def main(place: Place, well: Path | None) -> None:
    """Keep all jobs running for ever; `well` is touched whenever all of them run."""
    rest = FlinkRest(place)
    for look in count(1):
        jobs = declared_jobs(place)
        running = [look_after(place, rest, job) for job in jobs]
        if well and all(running):
            well.touch()
        if look % LOOKS_PER_NOTE == 1:
            for job in jobs:
                note_failures(place, rest, job)
        if look % LOOKS_PER_TIDYING == 1:
            for job in jobs:
                tidy(place, job)
        time.sleep(PERIOD_SECONDS)


def look_after(place: Place, rest: FlinkRest, job: Job) -> bool:
    """`keep`, or false where the JobManager cannot be asked."""
    try:
        return keep(place, rest, job)
    except Unavailable as reason:
        log.warning("job.waits", job=job.name, reason=str(reason))
        return False


def note_failures(place: Place, rest: FlinkRest, job: Job) -> None:
    """Note why the job was started again."""
    state = JobState.load(place, job.name)
    if not state.job_id:
        return
    try:
        failures = rest.failures(state.job_id)
    except Unavailable:
        return
    note(restarts(place), [Restart(time=at, part=job.name, cause=cause) for at, cause in failures])


def looping(place: Place, name: str) -> Loop | None:
    """Why a job or part restarts again and again; None if it does not."""
    return loop(read(restarts(place)), name)


def keep(place: Place, rest: FlinkRest, job: Job) -> bool:
    """One look at one job, and at most one action; whether all tasks of what is active for it run."""
    state = JobState.load(place, job.name)
    if state.problem:
        return False
    seen = rest.state(state.job_id) if state.generation else None
    if seen is None or (state.stopping and seen in ENDED):
        submit(place, rest, job, state)
    elif seen in ENDED:
        give_up(place, rest, state, seen)
    elif not state.is_up_to_date(job):
        stop(place, rest, state)
    else:
        return seen == "RUNNING"
    return False


def latest(place: Place, state: JobState) -> Path | None:
    """Find the newest state: the job's own checkpoints, its savepoint, or what it was restored from."""
    own = newest_complete([checkpoints(place) / state.job_id, savepoint_folder(place, state)])
    if own is None and state.restored_from and (Path(state.restored_from) / "_metadata").exists():
        return Path(state.restored_from)
    return own


def savepoint_folder(place: Place, state: JobState) -> Path:
    """Return the folder that gets the savepoint with which this generation is stopped."""
    return savepoints(place) / state.job_id


def submit(place: Place, rest: FlinkRest, job: Job, before: JobState) -> None:
    """Run the job's next generation; remembered first, so that a submission whose answer is lost is found."""
    jar_id = rest.upload(job.jar, f"{job.name}-{job.jar_hash[:12]}.jar")
    drops_state = before.is_of_other_state(job)
    restore_from = latest(place, before) if before.generation and not drops_state else None
    reads_again = restore_from is None and (drops_state or before.reads_again)
    state = JobState(
        name=job.name,
        generation=before.generation + 1,
        jar_hash=job.jar_hash,
        config_hash=job.config_hash,
        parallelism=job.parallelism,
        restored_from=str(restore_from or ""),
        state_format=job.state_format,
        reads_again=reads_again,
    )
    state.save(place)
    arguments = ["--config", str(job.config), *(READ_AGAIN if reads_again else ())]
    rest.run(jar_id, state.job_id, arguments, job.parallelism, restore_from)
    if drops_state:
        log.warning("job.state_dropped", job=job.name, before=before.state_format, now=job.state_format)
    log.info(
        "job.submitted",
        job=job.name,
        job_id=state.job_id,
        parallelism=job.parallelism,
        restored_from=state.restored_from or None,
    )


def tidy(place: Place, job: Job) -> None:
    """Report a job that is down or loops; of one that runs, remove checkpoints that nothing needs."""
    state = JobState.load(place, job.name)
    if cause := looping(place, job.name):
        log.error("job.loops", job=job.name, problem=str(cause))
    if state.problem:
        tell(state)
    if state.problem or state.stopping:
        return
    try:
        for path in superseded(
            checkpoints(place), state.job_id, state.older_job_ids, claimed=state.restored_from
        ):
            shutil.rmtree(path)
            log.info("checkpoints.removed", job=job.name, path=str(path))
    except OSError as reason:  # such as a checkpoint that Flink removes meanwhile; looked at again later
        log.warning("checkpoints.not_removed", job=job.name, reason=str(reason))


def stop(place: Place, rest: FlinkRest, state: JobState) -> None:
    """End a job with a savepoint; where that is not possible, cancel it: its last checkpoint does as well."""
    state = state.model_copy(update={"stopping": True})
    state.save(place)
    log.info("job.changed", job=state.name, job_id=state.job_id)
    request = rest.stop_with_savepoint(state.job_id, savepoint_folder(place, state))
    deadline = time.monotonic() + STOP_SECONDS
    while (problem := rest.savepoint_problem(state.job_id, request)) is None:
        if time.monotonic() > deadline:
            problem = f"not written within {STOP_SECONDS} s"
            break
        time.sleep(0.5)
    if problem:
        log.warning("job.savepoint_failed", job=state.name, problem=problem, way_out="cancelled")
        rest.cancel(state.job_id)


def give_up(place: Place, rest: FlinkRest, state: JobState, seen: str) -> None:
    """Record that a job ended by itself."""
    reason = rest.root_exception(state.job_id) if seen == "FAILED" else "ended from outside"
    state = state.model_copy(update={"problem": f"{seen}: {reason}"})
    state.save(place)
    tell(state)


def tell(state: JobState) -> None:
    """Say that a job is down, when it ended and once a minute after."""
    log.error("job.ended", job=state.name, problem=state.problem, way_out=f"resume {state.name}")


def check(place: Place) -> None:
    """Return when every active job runs with all of its tasks, else raise NotRunning."""
    rest = FlinkRest(place)
    for job in declared_jobs(place):
        state = JobState.load(place, job.name)
        if state.problem:
            raise Ended(f"{job.name}: {state.problem}")
        try:
            seen = rest.state(state.job_id) if state.job_id else "not submitted"
        except Unavailable as reason:
            raise NotRunning(str(reason)) from reason
        if not state.is_up_to_date(job):
            raise NotRunning(f"{job.name}: its program or configuration has changed and is not yet submitted")
        if cause := looping(place, job.name):
            raise NotRunning(f"{job.name} {cause}")
        if seen != "RUNNING":
            raise NotRunning(f"{job.name}: {seen}")


def resume(place: Place, name: str) -> JobState:
    """Let the keeper submit a job that ended by itself again, from its newest complete checkpoint."""
    state = JobState.load(place, name)
    if state.problem:
        state = state.model_copy(update={"problem": "", "stopping": True})
        state.save(place)
    return state
