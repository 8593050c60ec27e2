"""The query of every dataset: its columns, with and without range and filters, and hostile texts."""

import json
import re
from pathlib import Path

import jinja2
import pytest
import sqlglot
from dataset_engine import ASSETS, READER, SINCE, as_superset_sends
from sqlglot import exp
from weir_superset.assets import LESS

DATASETS = ASSETS.datasets
CHOSEN = {
    name: ["it's one", "another\\"]
    for name in ("cluster", "server", "account", "exe", "filesystem", "job", "user")
}
KINDS = {"INTEGER": "Int|Float", "FLOAT": "Int|Float", "DATETIME": "Date", "STRING": "String|Enum"}
OF_ONE = sorted(
    {
        ASSETS.charts[chart].dataset
        for page in ASSETS.dashboards.values()
        if page.subject
        for chart in page.charts()
    }
)
HOSTILE = '<img src=x onerror="alert(1)">\'"><script>'
LINK = re.compile(
    r'<a href="/(superset/dashboard/(run/\?run|job/\?job)|weir/(rows|report|job)/\?(run|job))'
    r'=[\w%.~-]+">[^<]+</a>|[^<]*'
)


def test_queries_are_written_anew_by_supersets_version_of_its_parser(engine_of):
    """It writes if() as CASE ... END, in which a column may not be called `end`."""
    pinned = Path(__file__, "../../../infra/embedded/superset.lock").resolve().read_text(encoding="utf-8")
    assert f"\nsqlglot=={sqlglot.__version__} " in pinned
    sent = as_superset_sends("SELECT number AS end, if(number = 0, 1, end) FROM numbers(1)")
    with pytest.raises(RuntimeError, match="Syntax error"):
        engine_of({}).session.query(sent)


@pytest.mark.parametrize("name", DATASETS)
def test_a_template_has_no_number_that_pythons_compiler_reads(name):
    """In Python 3.11 that fails now and then while other threads do so (prelude.jinja)."""
    tokens = jinja2.Environment(autoescape=True).lex(DATASETS[name].sql)
    assert [text for _, kind, text in tokens if kind == "float"] == []


@pytest.mark.parametrize("name", DATASETS)
def test_a_query_returns_the_columns_that_are_declared(engine_of, name):
    declared = {column.name: column.type for column in DATASETS[name].columns}
    found = engine_of({}).columns(name)
    assert declared.keys() <= found.keys()
    assert [column for column, kind in declared.items() if not re.search(KINDS[kind], found[column])] == []
    assert declared.keys() <= engine_of({}).columns(name, since=None, until=None, filters=CHOSEN).keys()


@pytest.mark.parametrize("name", DATASETS)
def test_no_condition_reads_a_name_that_the_selection_gives_anew(engine_of, name):
    """For the engine it is no column then: `ifNull(user, '') = ''` is never true of '(unknown)'."""
    query = sqlglot.parse_one(engine_of({}).query(name, filters=CHOSEN), dialect="clickhouse")
    for select in query.find_all(exp.Select):
        given_anew = {
            each.alias
            for each in select.expressions
            if each.alias and not isinstance(each.this, exp.Column) and each.alias in columns_of(each)
        }
        conditions = [select.args[part] for part in ("prewhere", "where") if select.args.get(part)]
        assert [given_anew & columns_of(each) for each in conditions if given_anew & columns_of(each)] == []


def columns_of(part):
    """The names without a table's that a part of a statement reads, but for its own selections."""
    of = part.find_ancestor(exp.Select)
    found = part.find_all(exp.Column)
    return {each.name for each in found if not each.table and each.find_ancestor(exp.Select) is of}


@pytest.mark.parametrize("name", [name for name in DATASETS if DATASETS[name].metrics])
def test_every_metric_is_an_aggregate_of_the_columns(engine_of, name):
    engine_of({}).metrics(name, "time")


def run(**more):
    named = dict.fromkeys(("cluster", "user", "account", "exe", "program", "filesystem"), "x")
    times = {"start_time": SINCE, "end_time": "2026-05-02 00:00:00"}
    return named | times | {"log_id": "a", "job_uid": "1", "nprocs": 1, "version": 1} | more


@pytest.mark.parametrize(
    "address", [{"run": "b"}, {"job": "2"}, {"run": "a' OR '1' = '1"}, {"run": "\\' OR 1 --"}, {}]
)
@pytest.mark.parametrize("name", OF_ONE)
def test_of_an_unknown_run_or_job_it_says_nothing(engine_of, name, address):
    assert engine_of({"runs": [run()]}).rows(name, **address) == []


@pytest.mark.parametrize("name", ["runs", "jobs", "findings"])
def test_a_center_has_its_own_rows(engine_of, name):
    table, time = {"jobs": ("job_results", "submit_time")}.get(name, (name, "start_time"))
    rows = [{"cluster": each, "user": READER, time: SINCE, "version": 1} for each in ("one", "two")]
    engine = engine_of({table: rows})
    for dataset in (name, f"my_{name}"):
        assert {row["cluster"] for row in engine.rows(dataset)} == {"one", "two"}
        assert [row["cluster"] for row in engine.rows(dataset, filters={"cluster": ["two"]})] == ["two"]


@pytest.mark.parametrize("name", ["runs", "jobs", "findings"])
def test_my_rows_are_the_readers(engine_of, name):
    table, time = {"jobs": ("job_results", "submit_time")}.get(name, (name, "start_time"))
    rows = [
        {"cluster": user, "user": user, time: SINCE, "version": 1} for user in (READER, "bob", "Ann", "an")
    ]
    # one was found to be the reader's later, one to be somebody else's
    rows += [
        {"cluster": cluster, "user": user, time: SINCE, "version": 2}
        for cluster, user in (("an", READER), (READER, "bob"))
    ]
    rows.append({"cluster": "kept", "user": READER, time: SINCE, "version": 1})
    shown = engine_of({table: rows}).rows(f"my_{name}")
    assert {(row["cluster"], row["user"]) for row in shown} == {("an", READER), ("kept", READER)}


def test_beside_links_no_text_of_users_can_be_an_element(engine_of):
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
    shown = run(**dict.fromkeys(names, HOSTILE), slow=1, verdict="storage", mib_per_second=1)
    of_run = ("cluster", "log_id", "user", "program", "start_time", "version")
    finding = {name: shown[name] for name in of_run}
    finding |= {"rule_id": HOSTILE, "title": HOSTILE, "advice": [HOSTILE]}
    message = dict.fromkeys(("cluster", "alert", "recipient", "subject"), HOSTILE)
    message |= {"unit": f"job {HOSTILE}", "time": SINCE}
    look = {"cluster": HOSTILE, "job_id": 7, "server": HOSTILE, "target": HOSTILE}
    job = {name: shown[name] for name in ("cluster", "job_uid", "user", "account", "start_time", "version")}
    job |= {"submit_time": SINCE, "job_name": HOSTILE, "executables": [HOSTILE]}
    engine = engine_of(
        {
            "runs": [shown, shown | {"log_id": "other"}, shown | {"log_id": "mine", "user": READER}],
            "findings": [finding | of for of in ({}, {"log_id": "mine", "user": READER})],
            "job_results": [job | of for of in ({}, {"job_uid": "mine", "user": READER})],
            "deliveries": [message],
            "job_live": [look | {"time": f"2026-05-01 00:00:0{second}"} for second in (1, 2)],
            "scheduler_jobs": [{"cluster": HOSTILE, "job_id": 7, "user": HOSTILE, "job_uid": HOSTILE}],
        }
    )
    linked = [name for name, dataset in DATASETS.items() if dataset.links()]
    assert len(linked) > 6
    for name in linked:
        rows = engine.rows(name, **{"job" if name == "job_facts" else "run": HOSTILE})
        assert rows, name
        for column, value in (cell for row in rows for cell in row.items() if isinstance(cell[1], str)):
            if column in DATASETS[name].links():
                assert LINK.fullmatch(value), (name, column, value)
            else:
                assert "<" not in value, (name, column, value)
        assert any(LINK.fullmatch(row[link])[1] for row in rows for link in DATASETS[name].links()), name


def test_an_advice_has_the_numbers_of_its_run(engine_of):
    """What the rule worked out comes before a feature of the same name, such as today's stripe count."""
    finding = {name: run()[name] for name in ("cluster", "log_id", "user", "start_time", "version")}
    numbers = {
        "a": {"stripe_count": 8, "stripe_size_bytes": 1048576, "ratio": 0.24, "seconds": 0.51234},
        "b": {"stripe_count": 72},
    }
    words = {
        "a": "<opens> + <stdio_opens>, <stripe_count> of <stripe_size_bytes>, <ratio>, <seconds>.\n"
        "lfs setstripe -c <stripe_count> -S <stripe_size_bytes> DIRECTORY\nlfs find --ost <target>",
        "b": "To <stripe_count>; <opens>, <of_nobody>.",
        "c": "As it is.",
    }
    engine = engine_of(
        {
            "runs": [run()],
            "findings": [
                finding
                | {
                    "rule_id": "r",
                    "evidence": '{"opens": 12, "stdio_opens": 3, "stripe_count": 1}',
                    "advice": ["a", "b", "c", "without words"],
                    "advice_numbers": json.dumps(numbers),
                }
            ],
            "report_words": [
                {"kind": "advice", "key": key, "text": text, "version": 1} for key, text in words.items()
            ],
        }
    )
    (shown,) = engine.rows("shown_findings", "change", run="a")
    assert shown["change"].splitlines() == [
        "12 + 3, 8 of 1.00 MiB, 24 %, 0.512.",
        "    lfs setstripe -c 8 -S 1048576 DIRECTORY",
        f"    lfs find --ost {LESS}target>",
        "To 72; 12, an unknown number.",
        "As it is.",
    ]


@pytest.mark.parametrize("dataset", ["findings", "shown_findings"])
def test_the_numbers_of_a_finding_have_units(engine_of, dataset):
    numbers = {
        "filesystem": "scratch1",
        "other_filesystems": ["home", "archive"],
        "nprocs": 1024,
        "small_read_share": 0.4236,
        "load_busiest_util": 0.9,
        "slowest_target_ratio": 0.25,
        "posix_effective_ranks_upper": 1.5,
        "posix_slowest_rank_seconds_lower": 12.346,
        "io_time_seconds": 3,
        "metadata_seconds_per_process": 0.5,
        "baseline_median_mib_per_second": 300.26,
        "mib_per_second_per_run_node": 7,
        "reread_bytes_above_2x": 1048576,
        "rmw_small_writes": 2e6,
        "mpiio_coll_writes": None,
        "of_a_site": True,
    }
    finding = {name: run()[name] for name in ("cluster", "log_id", "user", "start_time", "version")}
    rows = {"runs": [run()], "findings": [finding | {"rule_id": "r", "evidence": json.dumps(numbers)}]}
    (shown,) = engine_of(rows).rows(dataset, "evidence", run="a")
    assert shown["evidence"].split("; ") == [
        "file system: scratch1",
        "other file systems: home and archive",
        "processes: 1024",
        "small read share: 42.4 %",
        "load busiest utilization: 90 %",
        "slowest target ratio: 25 %",
        "POSIX effective ranks: at most 1.5",
        "POSIX slowest rank time: at least 12.35 s",
        "I/O time: 3 s",
        "metadata time per process: 0.5 s",
        "baseline median rate: 300.3 MiB/s",
        "rate per run node: 7 MiB/s",
        "reread bytes above 2x: 1.00 MiB",
        "read-modify-write small writes: 2000000",
        "MPI-IO coll writes: unknown",
        "of a site: true",
    ]


def test_dead_letters_are_counted_by_message(engine_of):
    """Of a source with many of them most are counted in one row."""
    row = {"cluster": "c", "time": "2026-05-10 00:00:00", "source": "samples", "key": "k", "version": 1}
    rows = [row | {"id": "one"}, row | {"id": "many", "messages": 700}]
    counted = engine_of({"dead_letters": rows}).metrics("dead_letters", "source")
    assert counted == {("samples",): {"letters": 701}}
