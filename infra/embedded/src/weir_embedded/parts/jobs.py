"""The jobs keeper as a part: healthy when every Flink job that was built runs."""

import sys

from weir_keeper import keeper

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
            "WEIR_KEEPER_FLINK_KEY": str(stack.flink_key),
            "WEIR_KEEPER_PROGRAMS": str(stack.programs),
            "WEIR_KEEPER_CONF": str(stack.conf),
            "WEIR_KEEPER_DATA": str(stack.data),
        },
        check=lambda: check(stack),
        version=lambda: flink.version(stack),
        start_seconds=240,  # four jobs beside another stack on two slow cores took longer than 120
        wave=2,
    )


def check(stack: Stack) -> None:
    """Healthy when all tasks of all jobs run."""
    try:
        keeper.check(stack)
    except keeper.Ended as problem:
        raise Hopeless(str(problem)) from problem
    except keeper.NotRunning as problem:
        raise NotReady(str(problem)) from problem
