"""The Flink jobs' programs: where they are built, and activating them for the keeper."""

import shutil
from pathlib import Path

from weir_keeper import JobState, declared_jobs
from weir_keeper.declared import NAMES, content, program

from weir_embedded import templates
from weir_embedded.settings import Stack


def built_jars(stack: Stack) -> list[Path]:
    """Lists the jars as Maven leaves them."""
    return [stack.root / "flink-jobs" / name / "target" / f"{name}.jar" for name in NAMES]


def install(stack: Stack) -> None:
    """Activate the settings and what has been built, each program in one step."""
    templates.write(stack.conf / "jobs.properties", "jobs.properties.j2", stack=stack)
    for built in built_jars(stack):
        jar = program(stack, built.stem)
        if built.exists() and not (jar.exists() and content(jar) == content(built)):
            jar.parent.mkdir(parents=True, exist_ok=True)
            partial = jar.with_suffix(".partial")
            shutil.copyfile(built, partial)
            partial.rename(jar)


def dropped_states(stack: Stack) -> list[str]:
    """Names of the jobs whose active program cannot be restored from the state of the one before."""
    return [job.name for job in declared_jobs(stack) if JobState.load(stack, job.name).is_of_other_state(job)]
