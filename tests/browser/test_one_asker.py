"""Viewers who ask for the same at once cost the database one question."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from bench.viewers import questions
from weir_superset import assets
from weir_superset.client import Superset, SupersetError

VIEWERS = 12


@pytest.fixture(scope="module")
def superset(superset_site):
    with Superset(superset_site.url, superset_site.user, superset_site.password) as superset:
        yield superset


def new(asked):
    """The question with a limit that nobody asked for, so that there is no answer yet."""
    query = asked["queries"][0] | {"row_limit": random.randint(1_000, 9_999)}
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
