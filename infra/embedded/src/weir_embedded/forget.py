"""Lets the Flink jobs start over: nothing of what they have read so far is left in their state."""

import shutil

from tenacity import Retrying, TryAgain, retry_if_not_result, stop_after_delay, wait_fixed
from weir_keeper import FlinkRest, JobState, checkpoints, declared_jobs, savepoints
from weir_keeper.rest import ENDED

from weir_embedded import lifecycle, pipeline, supervisor
from weir_embedded.errors import StackError
from weir_embedded.progress import Board
from weir_embedded.settings import Stack

READ_SECONDS = 120
END_SECONDS = 60


def begin_anew(stack: Stack, board: Board) -> None:
    """Start the stack with jobs that know nothing of what was sent before, whatever state they had.

    Jobs that could not read to the end before, as an older version left their state, do so afterwards.
    """
    lifecycle.up(stack, board, unwaited="jobs")
    forget(stack, board)
    lifecycle.up(stack, board)
    if not _read_to_the_end(stack, board):
        raise StackError("The Flink jobs do not read to the end of their topics: see make status, make logs.")


def forget(stack: Stack, board: Board) -> None:
    """Stop the jobs and drop their state; `lifecycle.up` submits them again, reading on where they stood.

    They read to the end first: what was read but not yet committed would come again after the start.
    """
    _read_to_the_end(stack, board)
    with board.step("Let the Flink jobs forget"):
        for part in ("watch", "jobs"):
            if supervisor.processes(stack)[part]["statename"] == "RUNNING":
                supervisor.api(stack).stopProcess(part, True)
        rest = FlinkRest(stack)
        for job in declared_jobs(stack):
            _drop(stack, rest, JobState.load(stack, job.name))


def _read_to_the_end(stack: Stack, board: Board) -> bool:
    """Wait until the jobs have committed all that there is; whether they have."""
    policy = Retrying(
        retry=retry_if_not_result(bool),
        stop=stop_after_delay(READ_SECONDS),
        wait=wait_fixed(1),
        retry_error_callback=lambda _: False,
    )
    with board.step("Let the Flink jobs read to the end"):
        groups = [f"weir-{job.name}" for job in declared_jobs(stack)]
        return policy(lambda: is_read_to_the_end(pipeline.look(stack), groups))


def is_read_to_the_end(seen: pipeline.Pipeline, groups: list[str]) -> bool:
    """Tells whether consumer groups have committed all that there is; not so if Kafka does not answer.

    A group that has committed nothing has read nothing so far, and has nothing to forget.
    """
    return seen.kafka_answers and not any(seen.lag(group) for group in groups)


def _drop(stack: Stack, rest: FlinkRest, state: JobState) -> None:
    if not state.generation:
        return
    if rest.state(state.job_id) not in (None, *ENDED):
        rest.cancel(state.job_id)
    for attempt in Retrying(stop=stop_after_delay(END_SECONDS), wait=wait_fixed(0.5), reraise=True):
        with attempt:
            _require(rest.state(state.job_id) in (None, *ENDED))
    for folder in (checkpoints(stack), savepoints(stack)):
        shutil.rmtree(folder / state.job_id, ignore_errors=True)
    # as after a stop that the keeper asked for: it submits the job again
    state.model_copy(update={"stopping": True, "restored_from": "", "problem": ""}).save(stack)


def _require(condition: bool) -> None:
    if not condition:
        raise TryAgain
