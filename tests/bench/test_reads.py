"""What the query of a chart reads is in proportion to the range, not to the history behind it."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from bench import questions
from bench.charts import asked, measured, newest
from bench.history import DAYS, MONTHLY, OF_RUNS, Center, History, migrated, physical, scalar
from weir.sql.questions import saved
from weir_superset import assets

UNTIL = datetime(2026, 11, 1, tzinfo=UTC)
SMALL = Center(logs_a_day=150, devices=106, targets=20, active_jobs=4, days_kept=2)
# A table is cut into pieces of so many rows, so that little data shows what much would.
GRANULE_ROWS = 64
# Cases are kept by user and troubles by what they are of, not by time: they are few, and read as a whole.
WHOLE = {"cases", "storage_events"}
# A chart looks at all times of each month that its range touches.
BY_MONTH = ("alerts", "deliveries")
# How often a query may read a row of the range: once, and once more to find the largest.
TIMES = 2.5
TIME_COLUMNS = OF_RUNS | MONTHLY | {table: column for table, (column, _) in DAYS.items()}
# Totals by day are of the rows of these, of which they read some.
ADDED_UP = {
    "run_totals": "runs",
    "finding_totals": "findings",
    "job_totals": "job_results",
    "device_totals": "device_load_hourly",
    "target_totals": "runs",
}
# Charts of tables that the history leaves empty, or that are worked out for all programs at once.
OF_OTHER_TABLES = {
    *("alerts_effect", "alerts_effect_table", "findings_effect_table", "findings_gained"),
    *("center_dead_letters", "pipeline_causes"),
}
SHIPPED = assets.read()
PRELUDE = (assets.DEFAULT_FOLDER / "sql" / assets.PRELUDE).read_text(encoding="utf-8")
WHOLE_HISTORY = "SELECT sum(nodes) FROM scheduler_jobs"


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return migrated(tmp_path_factory.mktemp("history"), GRANULE_ROWS)


@pytest.fixture(scope="module")
def after_a_month(engine):
    """Rows read for the last day of a month, by chart, question and WHOLE_HISTORY, which reads all."""
    History(engine, SMALL).write(UNTIL, 1)
    charts = {name: read(engine, name, 1) for name in CHARTS}
    asked = {question: read_by_question(engine, question) for question in QUESTIONS}
    return charts | asked | {WHOLE_HISTORY: measured(engine, WHOLE_HISTORY, 1)[1]}


@pytest.fixture(scope="module")
def year(engine, after_a_month):
    """An engine with a year's history."""
    History(engine, SMALL).write(UNTIL, 12)
    return engine


def read(engine, name, days):
    chart = SHIPPED.charts[name]
    shown = newest(engine) if name in OF_ONE else None
    query = asked(chart, SHIPPED.datasets[chart.dataset], UNTIL - timedelta(days=days), UNTIL, shown)
    return measured(engine, query, 1)[1]


def read_by_question(engine, name):
    query = questions.asked(saved()[name], UNTIL - timedelta(days=1), UNTIL, {"user": "user1"})
    return measured(engine, query, 1)[1]


def tables(name):
    """The tables that the query of a chart names, or its prelude for it, but for what that offers to all."""
    sql = re.sub(r"--.*", "", SHIPPED.datasets[SHIPPED.charts[name].dataset].sql.removeprefix(PRELUDE))
    words = re.findall(r"(?:FROM|JOIN) (\w+)", sql) + re.findall(r"'(\w+_versions)'", sql)
    named = {re.sub("_(versions|since)$", "", word) for word in words}
    return {ADDED_UP.get(name, name) for name in named} & {*TIME_COLUMNS}


OF_ONE = {chart for page in SHIPPED.dashboards.values() if page.subject for chart in page.charts()}
"""Charts of one run or job: a day of them is that run."""
OF_A_QUARTER = {"shown_history"}
CHARTS = sorted(
    name for name in {*SHIPPED.charts} - OF_A_QUARTER if tables(name) and not tables(name) & WHOLE
)


QUESTIONS = sorted(
    name for name, question in saved().items() if not WHOLE & {*re.findall(r"\w+", question.statement())}
)


def test_all_but_these_are_looked_at():
    left_out = {name for name in {*SHIPPED.charts} - OF_A_QUARTER if not tables(name)}
    assert left_out == OF_OTHER_TABLES
    assert {*saved()} - {*QUESTIONS} == {"came_back", "messages_helped", "storage_troubles"}


def rows_since(engine, table, since):
    """How many rows a table has since a time, or since the first of its month."""
    begin = f"{since:%Y-%m-01}" if table in BY_MONTH else f"{since:%F}"
    return scalar(engine, f"SELECT count() FROM {physical(table)} WHERE {TIME_COLUMNS[table]} >= '{begin}'")


def test_a_day_costs_no_more_after_a_year_than_after_a_month(after_a_month, year):
    reads = {name: (after_a_month[name], read(year, name, 1)) for name in CHARTS}
    grown = {name: pair for name, pair in reads.items() if pair[1] > 1.2 * pair[0] + 20 * GRANULE_ROWS}
    assert not grown, "rows read for the last day of a month's and of a year's history"


def test_a_question_about_a_day_costs_no_more_after_a_year_than_after_a_month(after_a_month, year):
    reads = {name: (after_a_month[name], read_by_question(year, name)) for name in QUESTIONS}
    grown = {name: pair for name, pair in reads.items() if pair[1] > 1.2 * pair[0] + 20 * GRANULE_ROWS}
    assert not grown, "rows read for the last day of a month's and of a year's history"


@pytest.mark.parametrize("days", [1, 30, 365])
def test_each_row_of_the_range_is_read_a_few_times_at_most(year, days):
    known = {table: rows_since(year, table, UNTIL - timedelta(days=days)) for table in TIME_COLUMNS}
    too_many = {}
    for name in {*CHARTS} - OF_ONE:
        reads, there = read(year, name, days), sum(known[table] for table in tables(name))
        # of a job only its submission is in the key: those that ran into the range are looked at as well
        allowed = TIMES * there + 4 * SMALL.logs_a_day + 100 * GRANULE_ROWS
        if reads > allowed:
            too_many[name] = (reads, there)
    assert not too_many, f"rows read, and rows that there are in {days} days"


def test_it_sees_a_query_that_reads_the_history(after_a_month, year):
    assert measured(year, WHOLE_HISTORY, 1)[1] > 5 * after_a_month[WHOLE_HISTORY]


@pytest.fixture(scope="module")
def days_of_records(year):
    """An engine with the file records of the year's last three days, and how many there are.

    A day of samples is there as well.
    """
    History(year, SMALL).write(UNTIL, 12, record_days=3, sample_days=1)
    return year, scalar(year, "SELECT count() FROM posix_records_versions")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("files_of_user", {"user": "user1"}),
        ("directories_of_user", {"user": "user1"}),
        ("readers_of_file", {"file": "/no/such/file"}),
    ],
)
def test_a_question_about_files_reads_few_of_the_records(days_of_records, name, values):
    """One log in fifty is the user's."""
    engine, records = days_of_records
    query = questions.asked(saved()[name], UNTIL - timedelta(days=3), UNTIL, values)
    assert measured(engine, query, 1)[1] < records / 10
