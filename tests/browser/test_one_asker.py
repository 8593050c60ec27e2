"""Viewers who ask for the same at once cost the database one question, and no connection of their own."""

import os
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

import pytest
from bench.viewers import questions
from clients import clickhouse
from weir_superset import assets
from weir_superset.client import SupersetError

VIEWERS = 12
LIMITS = count(random.randint(1_000, 9_000))


def new(asked):
    """The question with a limit that nobody asked for, so that there is no answer yet."""
    query = asked["queries"][0] | {"row_limit": next(LIMITS)}
    return asked | {"queries": [query]}


@contextmanager
def viewers(superset):
    with ThreadPoolExecutor(VIEWERS) as pool:
        yield lambda asked: [pool.submit(superset.chart_data, asked) for _ in range(VIEWERS)]


def test_one_asks_and_all_have_the_answer(superset):
    with viewers(superset) as ask:
        for asked in questions(superset, assets.read(), "jobs")[:4]:
            answers = [answer.result() for answer in ask(new(asked))]
            assert sum(not answer["is_cached"] for answer in answers) == 1
            assert all(answer["data"] == answers[0]["data"] for answer in answers)


def test_a_question_that_fails_keeps_nobody_waiting(superset):
    asked = new(questions(superset, assets.read(), "jobs")[0])
    asked["queries"][0]["extras"] = {"where": "throwIf(1)"}
    with viewers(superset) as ask:
        for answer in ask(asked):
            with pytest.raises(SupersetError, match="throwIf"):
                answer.result()


@pytest.mark.skipif("WEIR_TEST_SUPERSET_URL" in os.environ, reason="the log of its engine cannot be read")
def test_a_chart_uses_a_connection_that_is_open(superset, stack):
    """Only a new connection asks for the server's settings; each of Superset's processes opens its own."""
    asked = questions(superset, assets.read(), "jobs")[0]
    opened = []
    with clickhouse(stack, "migrator") as client:
        for _ in range(8):
            before = connections(client)
            assert not superset.chart_data(new(asked))["is_cached"]
            opened.append(connections(client) - before)
    assert 0 in opened, opened


def connections(client):
    client.command("SYSTEM FLUSH LOGS")
    told = client.query(
        "SELECT count() FROM system.query_log "
        "WHERE type = 'QueryFinish' AND query LIKE 'SELECT name, value, readonly%FROM system.settings%'"
    )
    return told.first_row[0]
