"""How Superset is served, on the embedded stack and in a container."""

import shlex
import socket
from functools import partial
from itertools import pairwise
from threading import Timer

import httpx
import pytest
from weir_embedded import guard
from weir_embedded.parts import part, superset
from weir_embedded.parts.part import NotReady
from weir_embedded.settings import Stack

# How long nginx keeps an idle connection to Superset by default (keepalive_timeout of its upstream module).
OF_A_PROXY_SECONDS = 60


def options(words):
    """The options of a command that have a value, by their name."""
    return {word: value for word, value in pairwise(words) if word.startswith("--")}


def test_no_client_asks_on_a_connection_that_superset_closes(unstarted):
    kept = float(options(superset.part(unstarted).argv)["--keep-alive"])
    assert kept > max(OF_A_PROXY_SECONDS, httpx.Limits().keepalive_expiry)


def test_a_container_serves_as_the_embedded_stack_does(unstarted):
    start = (unstarted.root / "infra/images/superset/start").read_text()
    there = options(shlex.split(start.partition("exec gunicorn")[2].partition(";;")[0]))
    here = options(superset.part(unstarted).argv)
    same = ("--worker-class", "--timeout", "--keep-alive")
    assert {each: there[each] for each in same} == {each: here[each] for each in same}


def test_it_is_healthy_as_long_as_it_answers_anybody(unstarted, monkeypatch):
    """Twenty viewers who open a page at once wait half a minute on busy cores, and the check behind them."""
    monkeypatch.setattr(part, "CHECK_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr(Stack, "superset_url", f"http://127.0.0.1:{silent.getsockname()[1]}")
        unstarted.run.mkdir(parents=True)
        monkeypatch.setenv(guard.ANSWERED, superset.part(unstarted).env[guard.ANSWERED])
        answer_one = partial(guard.post_request, *[None] * 4)
        answer_one()
        with pytest.raises(NotReady, match="health: ReadTimeout"):
            superset.check(unstarted)
        answer = Timer(0.5, answer_one)
        answer.start()
        superset.check(unstarted)
        answer.join()
