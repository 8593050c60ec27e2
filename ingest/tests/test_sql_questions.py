"""What the saved questions answer, over rows written by hand."""

import json
from datetime import UTC, datetime

import pytest
from migrated_engine import migrated
from weir.errors import UserError
from weir.sql.questions import Question, saved

MIB, GIB, TIB = 2**20, 2**30, 2**40
MAY = "2026-05-01 00:00:00"
RANGE = {"since": "2026-05-01 00:00:00", "until": "2026-07-01 00:00:00"}
# The table keeps 90 days.
TODAY = datetime.now(UTC)
RANGES = {"landing_delay": {"since": f"{TODAY:%F} 00:00:00", "until": f"{TODAY:%F} 23:00:00"}}


def run(log, **more):
    row = {"cluster": "c", "log_id": log, "job_uid": f"job of {log}", "user": "ann", "account": "proj"}
    row |= {"program": "app", "filesystem": "scratch", "start_time": "2026-05-10 10:00:00", "nprocs": 4}
    row |= {"run_time_seconds": 7200, "io_time_seconds": 3600, "modules": ["POSIX"], "version": 1}
    return row | more


def hour(start, **more):
    row = {"cluster": "c", "hour_start": start, "sampled_seconds": 3600, "version": 1}
    return row | more


ROWS = {
    "runs_versions": [
        run(
            "a",
            bytes_read=TIB,
            bytes_written=3 * TIB,
            modules=["POSIX", "MPI-IO", "HEATMAP", "LUSTRE"],
            reads=100,
            writes=300,
            small_reads=90,
            small_writes=210,
            unique_files=2,
            unique_file_bytes=GIB,
            partial_files=0,
            partial_file_bytes=0,
            shared_files=1,
            shared_file_bytes=3 * GIB,
            reread_bytes=256 * GIB,
            slow=1,
            verdict="application",
            node_hours_lost=2.5,
            mib_per_second=10,
        ),
        run(
            "b",
            user="bob",
            account="other",
            program="sim",
            bytes_read=TIB,
            bytes_written=0,
            io_time_seconds=1800,
            reads=10,
            writes=0,
            small_reads=1,
            small_writes=0,
            slow=1,
            verdict="storage",
            node_hours_lost=4,
            mib_per_second=20,
        ),
        run(
            "c",
            start_time="2026-06-02 10:00:00",
            modules=["POSIX", "STDIO", "POSIX"],
            bytes_written=TIB,
            nprocs=1,
            unique_files=7,
            mib_per_second=40,
            slow=0,
            verdict="not_slow",
        ),
        # neither in the range nor anybody's any more
        run("before", start_time="2026-04-30 23:59:59", bytes_read=TIB),
        run("at the end", start_time="2026-07-01 00:00:00", bytes_read=TIB),
        run("taken back", is_deleted=1, bytes_read=TIB),
    ],
    "findings_versions": [
        {
            "cluster": "c",
            "log_id": log,
            "rule_id": rule,
            "title": f"Title of {rule}",
            "user": user,
            "program": program,
            "start_time": "2026-05-10 10:00:00",
            "node_hours_lost": lost,
            "version": 1,
        }
        for log, rule, user, program, lost in (
            ("a", "many_opens", "ann", "app", 2.5),
            ("a", "small_io", "ann", "app", 2.5),
            ("b", "small_io", "bob", "sim", 4),
            ("c", "small_io", "ann", "app", None),
        )
    ],
    "job_results_versions": [
        {
            "cluster": "c",
            "job_uid": uid,
            "submit_time": submit,
            "coverage": coverage,
            "node_hours": hours,
            "version": 1,
        }
        for uid, submit, coverage, hours in (
            ("1", "2026-05-02 00:00:00", "instrumented", 10),
            ("2", "2026-05-03 00:00:00", "instrumented", 20),
            ("3", "2026-05-04 00:00:00", "none", 5),
            ("4", "2026-06-04 00:00:00", "none", None),
        )
    ],
    "filesystem_load_hourly_versions": [
        hour(
            f"2026-05-01 0{number}:00:00",
            filesystem="scratch",
            bytes_read=3600 * MIB * rate,
            bytes_written=0,
            peak_bytes_per_second=peak * MIB,
        )
        for number, (rate, peak) in enumerate(((10, 400), (0, 0), (100, 250), (200, 300)))
    ],
    "server_load_hourly_versions": [
        hour(MAY, server="oss1", util_mean=0.5, util_max=0.9, reads=1000, read_wait_seconds=2),
        hour("2026-05-01 01:00:00", server="oss1", util_mean=0.1, util_max=0.4, sampled_seconds=1800),
        hour(MAY, server="oss2", util_mean=0.4, util_max=1, writes=10, write_wait_seconds=1),
    ],
    "landings": [
        {
            "cluster": "c",
            "table": "runs",
            "rows": rows,
            "oldest_sent_at": f"{TODAY:%F} 00:00:00",
            "landed_at": f"{TODAY:%F} 00:00:0{seconds}",
        }
        for rows, seconds in ((10, 1), (20, 1), (30, 4))
    ],
}

# Of each question: what is set, and the answer as worked out by hand.
ANSWERS = {
    "io_by_user": (
        {},
        [
            ["ann", "proj", 2, 2, 0.5, "1.00 TiB", "4.00 TiB"],
            ["bob", "other", 1, 0.5, 0.25, "1.00 TiB", "0.00 B"],
        ],
    ),
    "io_by_project": ({}, [["proj", 2, 2, 5, 0.2], ["other", 1, 1, 1, 1]]),
    "growth": ({}, [["2026-05-01", 2, 2, 3], ["2026-06-01", 1, 0, 1]]),
    "interfaces": ({}, [["POSIX", 3, 1, 2], ["MPI-IO", 1, 0.333, 1], ["STDIO", 1, 0.333, 1]]),
    # the run of one process shares nothing with anybody
    "file_sharing": ({}, [["all ranks", 1, 3, 1], ["one rank", 2, 1, 1], ["some ranks", 0, 0, 0]]),
    "small_requests": ({}, [["app", "ann", 2, 400, 0.75, 2]]),
    "slow_runs": (
        {"limit": "1"},
        [["2026-05-10 10:00:00.000000", "bob", 0, "sim", "scratch", 4, "storage", [], "b"]],
    ),
    "lost_by_rule": (
        {},
        [
            ["small_io", "Title of small_io", 3, 2, 2, 6.5],
            ["many_opens", "Title of many_opens", 1, 1, 1, 2.5],
        ],
    ),
    "storage_fault": ({}, [["2026-05-10", "scratch", 1, 0, 1, 0, 4]]),
    # of 4 hours three are below a third of 400 MiB/s, and two below its twentieth
    "burstiness": ({}, [["c", "scratch", 4, 77.5, 400, 0.75, 0.5]]),
    "busiest_servers": ({}, [["c", "oss2", 0.4, 1, None, 100], ["c", "oss1", 0.367, 0.9, 2, None]]),
    "coverage": (
        {},
        [
            ["2026-05-01", "instrumented", 2, 30, 0.667],
            ["2026-05-01", "none", 1, 5, 0.333],
            ["2026-06-01", "none", 1, 0, 1],
        ],
    ),
    "program_history": (
        {"user": "ann", "program": "app"},
        [["2026-05-10", "scratch", 1, 10, 10, 10, 2.5], ["2026-06-02", "scratch", 1, 40, 40, 40, 0]],
    ),
    "landing_delay": ({}, [["runs", 3, 60, 1, pytest.approx(4, abs=0.2), 4]]),
    "rereading": ({}, [["app", "ann", 2, 1024, 256, 0.25]]),
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    session = migrated(tmp_path_factory.mktemp("engine"))
    for table, rows in ROWS.items():
        lines = "\n".join(json.dumps(row) for row in rows)
        session.query(f"INSERT INTO {table} FORMAT JSONEachRow {lines}")
    yield session
    session.close()


def answer(session, name, given):
    question = saved()[name]
    values = question.values(given) | RANGES.get(name, RANGE)
    answered = session.query(question.sql, "JSONCompact", params=values)
    return json.loads(str(answered))["data"]


@pytest.mark.parametrize("name", saved())
def test_a_saved_question_answers_what_a_hand_works_out(session, name):
    given, expected = ANSWERS[name]
    found = answer(session, name, given)
    assert [[number(value) for value in row] for row in found] == expected


def number(value):
    """64-bit numbers come as strings."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


@pytest.mark.parametrize("name", saved())
def test_each_question_is_about_a_range_and_declares_its_parameters(name):
    question = saved()[name]
    assert {"{since:", "{until:"} <= {word[:7] for word in question.sql.split() if word.startswith("{")}
    for parameter, about in question.parameters.items():
        assert f"{{{parameter}:{about.type}}}" in question.sql


def test_a_parameter_that_is_needed_is_asked_for():
    with pytest.raises(UserError, match="whose runs: --set user="):
        saved()["program_history"].values({"program": "app"})


def test_an_unknown_parameter_names_those_that_there_are():
    with pytest.raises(UserError, match="--set limits: no such parameter"):
        saved()["io_by_user"].values({"limits": "3"})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SELECT 1", "begins with no comment"),
        ("/* title: x", "begins with no comment"),
        ("/*\n- a\n*/ SELECT 1", "a.sql"),
        ("/*\ntitle: x\n*/ SELECT 1", "question"),
        ("/*\ntitle: x\nquestion: y\nwhat: z\n*/ SELECT 1", "what"),
        ("/*\ntitle: [\n*/ SELECT 1", "a.sql"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path, text, problem):
    (tmp_path / "a.sql").write_text(text)
    with pytest.raises(UserError, match=problem):
        saved(tmp_path)


def test_text_in_a_value_stays_text(session):
    question = Question(title="t", question="q", sql="SELECT {user:String} AS user")
    given = "x' OR 1 = 1 --"
    found = session.query(question.sql, "JSONCompact", params={"user": given})
    assert json.loads(str(found))["data"] == [[given]]
