import configparser
import shlex
import time

import psutil
import pytest
from weir_embedded import supervisor
from weir_embedded.parts import all_parts
from weir_embedded.parts.part import Part
from weir_embedded.settings import Stack
from weir_embedded.watch import PATIENCE_SECONDS, Patience, Starts, look
from weir_keeper.keeper import looping
from weir_keeper.place import restarts
from weir_keeper.restarts import read


def part(**changes):
    values = {"name": "x", "title": "X", "argv": ("true",), "check": lambda: None, "version": lambda: ""}
    return Part(**(values | changes))


@pytest.fixture(autouse=True)
def jdk(monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "/a/jdk")


def parsed(stack, parts):
    parser = configparser.RawConfigParser(strict=True)
    parser.read_string(supervisor.configuration(stack, parts))
    return parser


def test_every_part_is_started_by_weir_stack_only_and_all_but_the_reviver_are_guarded(unstarted):
    parser = parsed(unstarted, all_parts(unstarted).values())
    for name in all_parts(unstarted):
        section = parser[f"program:{name}"]
        words = shlex.split(section["command"])
        if name == "reviver":
            assert words[0] == "/bin/sh"
        else:
            assert words[3].endswith("guard.py")
            assert words[4] == str(supervisor.pid_file(unstarted))
        assert section["autostart"] == "false"
        assert section["autorestart"] == "true"
        assert f'{supervisor.MARKER}="{unstarted.home}"' in section["environment"]


def test_blanks_and_per_cent_signs_in_commands_survive(unstarted):
    odd = part(argv=("echo", "100 % of 'it'"), env={"ODD": "50%"})
    section = parsed(unstarted, [odd])["program:x"]
    assert shlex.split(section["command"].replace("%%", "%"))[-2:] == ["echo", "100 % of 'it'"]
    assert 'ODD="50%%"' in section["environment"]


def test_no_password_is_in_the_configuration(unstarted):
    from weir_embedded import passwords

    passwords.generate_missing(unstarted)
    text = supervisor.configuration(unstarted, all_parts(unstarted).values())
    assert not [name for name in passwords.NAMES if unstarted.secret(name).read_text() in text]


def test_the_socket_path_fits_the_kernel_wherever_the_stack_lies(tmp_path):
    deep = Stack(home=tmp_path / ("d" * 60) / ("e" * 60))
    assert len(str(supervisor.socket_path(deep))) <= supervisor.LONGEST_SOCKET_PATH
    other = Stack(home=tmp_path / ("d" * 60) / ("f" * 60))
    assert supervisor.socket_path(deep) != supervisor.socket_path(other)


def test_servers_start_before_what_uses_them(unstarted):
    waves = [each.wave for each in all_parts(unstarted).values()]
    assert waves == sorted(waves)


def test_a_part_is_restarted_only_after_failing_for_long_without_a_break():
    patience, hung = Patience(), part(start_seconds=60)
    assert not patience.is_over(hung, True, started=0, now=1)
    assert not patience.is_over(hung, False, started=0, now=10)
    assert not patience.is_over(hung, False, started=0, now=9 + PATIENCE_SECONDS)
    assert not patience.is_over(hung, True, started=0, now=10 + PATIENCE_SECONDS)
    assert not patience.is_over(hung, False, started=0, now=20 + PATIENCE_SECONDS)
    assert patience.is_over(hung, False, started=0, now=20 + 2 * PATIENCE_SECONDS)


def test_a_part_that_is_still_starting_is_left_alone_also_after_a_restart():
    patience, slow = Patience(), part(start_seconds=60)
    assert not patience.is_over(slow, True, started=0, now=1)
    for now in range(100, 159, 5):
        assert not patience.is_over(slow, False, started=100, now=now)


def test_only_processes_with_this_stacks_marker_are_its_own(unstarted):
    with (
        psutil.Popen(["sleep", "60"], env={supervisor.MARKER: str(unstarted.home)}) as ours,
        psutil.Popen(["sleep", "60"], env={supervisor.MARKER: "/elsewhere"}) as others,
    ):
        try:
            assert [process.pid for process in supervisor.stack_processes(unstarted)] == [ours.pid]
            assert supervisor.kill_left_over(unstarted) == []
            assert others.is_running()
        finally:
            others.kill()


def test_a_part_that_is_started_again_and_again_is_reported_with_its_cause(unstarted, monkeypatch):
    unstarted.logs.mkdir(parents=True)
    unstarted.data.mkdir(parents=True)
    (unstarted.logs / "x.log").write_text("starting\nKafkaError: no such topic\nbye\n")
    started = int(time.time()) - 50
    infos = [{"statename": "RUNNING", "start": started + n} for n in range(5)]
    starts = Starts()
    for info in infos:
        monkeypatch.setattr(supervisor, "processes", lambda stack, info=info: {"x": info})
        look(unstarted, [part()], Patience(), starts)
        look(unstarted, [part()], Patience(), starts)
    assert str(looping(unstarted, "x")).endswith("4 times in 15 minutes: KafkaError: no such topic")


@pytest.mark.parametrize(
    ("log", "end", "cause"),
    [
        ("java.io.IOException: disk\nbye\n", "exit status 1; not expected", "java.io.IOException: disk"),
        (
            "x java.lang.NullPointerException\n",
            "exit status 1; not expected",
            "x java.lang.NullPointerException",
        ),
        (
            "KafkaError: long ago\n",
            "terminated by SIGKILL; not expected",
            "terminated by SIGKILL; not expected",
        ),
        ("all, -XX:+ExitOnOutOfMemoryError\n", "exit status 3; not expected", "exit status 3; not expected"),
        (
            "2 -XX:+ExitOnOutOfMemoryError, a: b\n",
            "exit status 3; not expected",
            "exit status 3; not expected",
        ),
        ("bye\n", "", "no reason found"),
    ],
)
def test_the_cause_of_a_restart_is_what_ended_the_part(unstarted, monkeypatch, log, end, cause):
    unstarted.logs.mkdir(parents=True)
    unstarted.data.mkdir(parents=True)
    (unstarted.logs / "x.log").write_text(log)
    (unstarted.logs / "supervisord.log").write_text(
        f"WARN exited: y (exit status 9)\n{f'WARN exited: x ({end})' if end else ''}\n"
    )
    starts = Starts()
    for start in (1, 2):
        info = {"statename": "RUNNING", "start": start}
        monkeypatch.setattr(supervisor, "processes", lambda stack, info=info: {"x": info})
        look(unstarted, [part()], Patience(), starts)
    assert [restart.cause for restart in read(restarts(unstarted))] == [cause]
