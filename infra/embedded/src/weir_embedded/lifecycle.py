"""Starting and stopping the stack."""

import shutil
import time
from collections.abc import Callable, Iterable
from itertools import groupby

import psutil

from weir_embedded import contents, passwords, preflight, programs, supervisor, templates
from weir_embedded.commands import tail
from weir_embedded.errors import StackError
from weir_embedded.parts import all_parts, clickhouse, flink, kafka, superset
from weir_embedded.parts.part import Hopeless, NotReady, Part
from weir_embedded.progress import Board, Step, in_parallel
from weir_embedded.settings import KAFKA_LOGINS, Stack

LOG_LINES = 15


def check_setup(stack: Stack) -> None:
    """Raise with one line per problem, before anything is fetched."""
    _refuse(preflight.setup_problems(stack))


def check(stack: Stack) -> None:
    """Raise with one line per problem, before anything is fetched or started."""
    problems = preflight.setup_problems(stack)
    _refuse(problems + preflight.start_problems(stack, supervisor.is_running(stack)))


def _refuse(problems: list[str]) -> None:
    if problems:
        raise StackError("\n".join(problems))


def up(stack: Stack, board: Board, unwaited: str = "") -> None:
    """Start every part in order and wait for its health (but for one's); what already runs is left alone."""
    parts = all_parts(stack)
    prepare(stack, board)
    supervisor.start(stack, parts.values())
    for wave, members in groupby(parts.values(), key=lambda part: part.wave):
        in_parallel([[_starter(stack, board, part, part.name != unwaited)] for part in members])
        if wave == contents.AFTER_WAVE:
            contents.publish(stack, board)


def prepare(stack: Stack, board: Board) -> None:
    """Everything on disk that the parts expect: secrets, configuration, formatted data folders."""
    stack.home.mkdir(parents=True, exist_ok=True)
    for folder in (stack.conf, stack.data, stack.logs, stack.run):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o700)
    stack.keep_port_offset()
    passwords.generate_missing(stack)
    for file, options in {
        stack.weir_config: stack.kafka,
        stack.weir_config_by_key: kafka.by_key(stack),
        **{stack.weir_config_of(login): stack.kafka_of(login) for login in KAFKA_LOGINS},
    }.items():
        templates.write(file, "weir.yaml.j2", stack=stack, kafka=options)
    templates.write(stack.notify_config, "notify.yaml.j2", stack=stack)
    clickhouse.prepare(stack)
    flink.prepare(stack)
    programs.install(stack)
    if dropped := programs.dropped_states(stack):
        with board.step(f"Drop the state of {', '.join(dropped)}") as step:
            step.note("the new program cannot read it, and reads again what Kafka keeps")
    with board.step("Write the configuration"):
        kafka.prepare(stack)
    if not superset.is_prepared(stack):
        with board.step("Create Superset's administrator") as step:
            superset.prepare(stack, step)


def _starter(stack: Stack, board: Board, part: Part, wait: bool) -> Callable[[], None]:
    def start() -> None:
        info = supervisor.processes(stack).get(part.name, {})
        if info.get("statename") not in ("RUNNING", "STARTING", "BACKOFF"):
            supervisor.api(stack).startProcess(part.name, False)
        with board.step(f"Start {part.title}") as step:
            if wait:
                wait_healthy(stack, part, step)

    return start


def wait_healthy(stack: Stack, part: Part, step: Step) -> None:
    """Wait until the part's own health check passes and supervisord agrees."""
    began = time.monotonic()
    while True:
        problem = _problem(stack, part)
        if problem is None:
            return
        step.note(str(problem))
        waited = time.monotonic() - began
        if waited > part.start_seconds or isinstance(problem, Hopeless):
            log = stack.logs / f"{part.name}.log"
            raise StackError(
                f"{part.title} is not healthy after {waited:.0f} s ({problem}); see {log}:",
                tail(log, LOG_LINES),
            )
        time.sleep(0.5)


def _problem(stack: Stack, part: Part) -> NotReady | None:
    state = supervisor.processes(stack).get(part.name, {}).get("statename", "gone")
    if state != "RUNNING":
        starting = state == "STARTING"
        return NotReady("the program is starting" if starting else f"the program ended ({state.lower()})")
    try:
        part.check()
    except NotReady as problem:
        return problem
    return None


def down(stack: Stack, board: Board) -> None:
    """Stop in reverse order and prove that no process of the stack is left."""
    if supervisor.is_running(stack):
        supervised = psutil.Process(supervisor.api(stack).getPID())
        _stop_parts(stack, board, reversed(all_parts(stack).values()))
        supervisor.api(stack).shutdown()
        psutil.wait_procs([supervised], timeout=15)
    left = supervisor.stack_processes(stack)
    if left and supervisor.kill_left_over(stack):
        raise StackError(
            f"These processes could not be ended: {', '.join(str(process.pid) for process in left)}"
        )
    supervisor.socket_path(stack).unlink(missing_ok=True)
    killed = f", {len(left)} left-over processes killed" if left else ""
    board.console.print(f"[green]✓[/green] No process of the stack is left{killed}")


def clean(stack: Stack) -> None:
    """Remove what a stopped stack has written."""
    if supervisor.stack_processes(stack):
        raise StackError("The stack is running: stop it first (make down).")
    for folder in (stack.data, stack.conf, stack.logs, stack.run, stack.secrets):
        shutil.rmtree(folder, ignore_errors=True)
    for file in (stack.weir_config, stack.home / "port_offset"):
        file.unlink(missing_ok=True)


def _stop_parts(stack: Stack, board: Board, parts: Iterable[Part]) -> None:
    seen = supervisor.processes(stack)
    for _, members in groupby(parts, key=lambda part: part.wave):
        running = [
            part
            for part in members
            if seen.get(part.name, {}).get("statename") in ("RUNNING", "STARTING", "BACKOFF")
        ]
        if running:
            in_parallel([[_stopper(stack, board, part)] for part in running])


def _stopper(stack: Stack, board: Board, part: Part) -> Callable[[], None]:
    def stop() -> None:
        with board.step(f"Stop {part.title}"):
            supervisor.api(stack).stopProcess(part.name, True)

    return stop
