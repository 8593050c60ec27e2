"""Every dataset's SQL, as ClickHouse's engine understands it."""

import re

import pytest
from engine import DATASETS, Engine, rendered

DAY = "2026-05-10 00:00:00", "2026-05-11 00:00:00"
KINDS = {"INTEGER": "Int|Float", "FLOAT": "Int|Float", "DATETIME": "Date", "STRING": "String|Enum"}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    engine = Engine(tmp_path_factory.mktemp("engine"))
    yield engine
    engine.session.close()


@pytest.mark.parametrize("filters", [{}, {"cluster": ["a"]}], ids=["all", "one center"])
@pytest.mark.parametrize("name", DATASETS)
def test_it_gives_the_declared_columns(engine, name, filters):
    described = engine.rows(f"DESCRIBE ({rendered(name, *DAY, filters)})")
    types = {row["name"]: row["type"] for row in described}
    declared = {column.name: column.type for column in DATASETS[name].columns}
    assert declared.keys() <= types.keys()
    assert not {
        column: types[column]
        for column, kind in declared.items()
        if not re.search(KINDS[kind], types[column])
    }


@pytest.mark.parametrize("name", DATASETS)
def test_a_metric_can_be_computed_of_it(engine, name):
    for metric in DATASETS[name].metrics:
        engine.rows(f"SELECT {metric.expression} FROM ({rendered(name, *DAY)})")


@pytest.mark.parametrize("subject", [{"run": "x"}, {"job": "x"}, {}], ids=["run", "job", "none"])
@pytest.mark.parametrize("name", [name for name in DATASETS if name.startswith(("run_", "job_", "shown_"))])
def test_of_an_unknown_run_or_job_it_says_nothing(engine, name, subject):
    assert engine.rows(f"SELECT * FROM ({rendered(name, *DAY, **subject)})") == []


HOSTILE = '<img src=x onerror="alert(1)">\'"><script>'
LINK = re.compile(r'<a href="/superset/dashboard/(run/\?run|job/\?job)=[\w%.~-]*">[^<]*</a>')


def test_beside_links_no_text_of_users_can_be_an_element(engine):
    """Superset draws a cell as HTML if there is an element in it."""
    names = (
        "cluster",
        "log_id",
        "job_uid",
        "user",
        "account",
        "exe",
        "program",
        "filesystem",
        "verdict_reason",
    )
    run = dict.fromkeys(names, HOSTILE) | {
        "start_time": DAY[0],
        "end_time": DAY[1],
        "nprocs": 1,
        "version": 1,
    }
    engine.insert("runs", [run, run | {"log_id": "other", "start_time": "2026-05-10 01:00:00"}])
    finding = {name: run[name] for name in ("cluster", "log_id", "user", "start_time", "version")}
    engine.insert("findings", [finding | {"rule_id": HOSTILE, "title": HOSTILE, "advice": [HOSTILE]}])
    job = {name: run[name] for name in ("cluster", "job_uid", "user", "account", "start_time", "version")}
    engine.insert(
        "job_results", [job | {"submit_time": DAY[0], "job_name": HOSTILE, "executables": [HOSTILE]}]
    )
    linked = [name for name, dataset in DATASETS.items() if dataset.links()]
    assert len(linked) > 3
    for name in linked:
        rows = engine.rows(f"SELECT * FROM ({rendered(name, *DAY, run=HOSTILE)})")
        assert rows, name
        for column, value in (cell for row in rows for cell in row.items() if isinstance(cell[1], str)):
            if column in DATASETS[name].links():
                assert LINK.fullmatch(value), (name, column, value)
            else:
                assert "<" not in value, (name, column, value)
