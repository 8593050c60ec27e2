"""The jobs keeper as a part: healthy when every Flink job that was built runs."""

import sys

from weir_keeper import FlinkRest, JobState, Unavailable, declared_jobs

from weir_embedded.parts import flink
from weir_embedded.parts.part import Hopeless, NotReady, Part
from weir_embedded.settings import Stack


def part(stack: Stack) -> Part:
    """The keeper as a supervised program."""
    return Part(
        name="jobs",
        title="Flink jobs",
        argv=(sys.executable, "-m", "weir_keeper", "run"),
        env={
            "WEIR_KEEPER_FLINK_URL": stack.flink_url,
            "WEIR_KEEPER_CONF": str(stack.conf),
            "WEIR_KEEPER_DATA": str(stack.data),
        },
        check=lambda: check(stack),
        version=lambda: flink.version(stack),
        start_seconds=120,
        wave=2,
    )


def check(stack: Stack) -> None:
    """Healthy when all tasks of all jobs run."""
    try:
        _check_states(stack, FlinkRest(stack.flink_url))
    except Unavailable as reason:
        raise NotReady(str(reason)) from reason


def _check_states(stack: Stack, rest: FlinkRest) -> None:
    for job in declared_jobs(stack):
        state = JobState.load(stack, job.name)
        if state.problem:
            raise Hopeless(f"{job.name}: {state.problem}")
        seen = rest.state(state.job_id) if state.job_id else "not submitted"
        if not state.is_up_to_date(job):
            raise NotReady(f"{job.name}: its program or configuration has changed and is not yet submitted")
        if seen != "RUNNING":
            raise NotReady(f"{job.name}: {seen}")
