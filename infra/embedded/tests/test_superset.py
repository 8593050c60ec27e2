"""How Superset is served, on the embedded stack and in a container."""

import shlex
from itertools import pairwise

import httpx
from weir_embedded.parts import superset

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
