"""ClickHouse's engine in this process, with Weir's tables, that answers as Superset's datasets do."""

import json
from types import SimpleNamespace

import jinja2
import sqlglot
from chdb.session import Session
from weir.admin.migrations import all_migrations
from weir_superset import assets

ASSETS = assets.read()
SINCE, UNTIL = "2026-05-01 00:00:00", "2026-06-01 00:00:00"
READER = "ann"
"""Who is signed in."""
# Rows written by hand are old: nothing of these goes for its age.
KEPT_FOR_A_TIME = (
    "filesystem_load",
    "server_load",
    "device_load",
    "job_live",
    "target_live",
    "target_io_sizes",
    *("posix_records", "stdio_records", "superseded_logs", "user_file_totals", "file_reader_totals"),
)
DAILY = ("run_totals", "finding_totals", "job_totals", "run_io_totals", "device_totals", "target_totals")
TOTALS = (*DAILY, "user_file_totals", "file_reader_totals", "run_io_months")
UNITS = ("hour", "day", "month")
"""What totals are worked out of, at a time."""
HOURLY_BUILDS = ("file_totals_build", "hours_of_totals_build")
TOTALS_BUILDS = (
    *(f"{each}_build" for each in DAILY),
    *("days_of_totals_build", "days_of_run_io_build", "days_of_devices_build", "days_of_targets_build"),
    *("run_io_months_build", "months_of_run_io_build"),
)


def migrated(folder):
    """A session on empty tables."""
    session = Session(folder)
    session.query("CREATE DATABASE weir ENGINE = Atomic")
    session.query("USE weir")
    for migration in all_migrations():
        for statement in migration.statements("up"):
            # Tests say when: at each fifth minute of the clock a test that takes longer would see one more.
            session.query(statement.replace("REFRESH EVERY 5 MINUTE", "REFRESH EVERY 1 YEAR"))
    for table in KEPT_FOR_A_TIME:
        session.query(f"ALTER TABLE {table}_versions REMOVE TTL")
    return session


def where_in(values):
    """As Superset's own: values in SQL's quotes."""
    escaped = (value.replace("\\", "\\\\").replace("'", "''") for value in values)
    return "(" + ", ".join(f"'{value}'" for value in escaped) + ")"


def as_superset_sends(sql):
    """Writes a query anew from what Superset's parser read, as Superset does before it sends any."""
    return sqlglot.parse_one(sql, dialect="clickhouse").sql(dialect="clickhouse", pretty=True)


class Engine:
    """Queries the datasets as Superset does, once their templates are filled in."""

    def __init__(self, session, rows):
        self.session, self.tables = session, list(rows)
        for table, lines in rows.items():
            self.insert(table, *lines)

    def insert(self, table, *rows):
        """Lands rows in a table."""
        if rows:
            text = "\n".join(map(json.dumps, rows))
            self.session.query(f"INSERT INTO {table}_versions FORMAT JSONEachRow {text}")

    def rows(self, dataset, columns="*", rest="", **range_and_filters):
        """Rows of a dataset; besides a range and filters it takes parameters of the page's address."""
        return self._answer(dataset, columns, rest, **range_and_filters)["data"]

    def columns(self, dataset, **range_and_filters):
        """The columns of a dataset: their types by name."""
        meta = self._answer(dataset, "*", "", **range_and_filters)["meta"]
        return {column["name"]: column["type"] for column in meta}

    def metrics(self, dataset, groups, **more):
        """Every metric of a dataset by groups: {values of groups: {metric: value}}."""
        found = ASSETS.datasets[dataset].metrics
        columns = ", ".join([groups, *(f"{each.expression} AS {each.name}" for each in found)])
        rows = self.rows(dataset, columns, rest=f"GROUP BY {groups} ORDER BY {groups}", **more)
        names = [name.strip() for name in groups.split(",")]
        return {tuple(row.pop(name) for name in names): row for row in rows}

    def _answer(self, dataset, columns, rest, **range_and_filters):
        sql = f"SELECT {columns} FROM ({self.query(dataset, **range_and_filters)}) AS virtual_table {rest}"
        return json.loads(str(self.session.query(as_superset_sends(sql), "JSON")))

    def query(self, dataset, since=SINCE, until=UNTIL, filters=None, **address):
        """Fills in the template of a dataset."""
        span = SimpleNamespace(from_expr=since, to_expr=until)
        environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
        environment.filters["where_in"] = where_in
        return environment.from_string(ASSETS.datasets[dataset].sql).render(
            get_time_filter=lambda *_, **__: span,
            filter_values=lambda column, **_: (filters or {}).get(column, []),
            centers_in=self.centers_in,
            reports_can_be_made=lambda: True,
            url_param=address.get,
            current_username=lambda: READER,
        )

    def centers_in(self, table):
        """Names the centers of which a table has rows."""
        return [center for (center,) in self.answers(f"SELECT DISTINCT cluster FROM {table}")]

    def build_totals(self):
        """Works the totals of all days out, as an hour after what there is has landed."""
        self.let_an_hour_pass()
        for units, views in ((UNITS[:1], HOURLY_BUILDS), (UNITS[1:], TOTALS_BUILDS)):
            waiting = " UNION ALL ".join(f"SELECT {unit} FROM {unit}s_to_total" for unit in units)
            while self.answers(waiting):
                for view in views:
                    self.refresh(view)

    def let_an_hour_pass(self):
        """Dates back by an hour when rows landed and when totals were worked out."""
        units = [f"{unit}s_of_totals" for unit in UNITS]
        for table in (*units, *(f"{each}_versions" for each in TOTALS)):
            times = (
                ["landed_at", "built_at"] if table in ("hours_of_totals", "days_of_totals") else ["built_at"]
            )
            earlier = ", ".join(f"{time} - INTERVAL 1 HOUR AS {time}" for time in times)
            for sql in (
                f"CREATE TABLE younger ENGINE = Memory AS SELECT * FROM {table}",
                f"TRUNCATE TABLE {table}",
                f"INSERT INTO {table} SELECT * REPLACE ({earlier}) FROM younger",
                "DROP TABLE younger",
            ):
                self.session.query(sql)

    def refresh(self, view):
        """Works a view that is refreshed from time to time out now."""
        self.session.query(f"SYSTEM REFRESH VIEW {view}")
        self.session.query(f"SYSTEM WAIT VIEW {view}")

    def answers(self, query):
        """Returns the rows that a query answers with, each as a list."""
        return json.loads(str(self.session.query(query, "JSONCompact")))["data"]

    def empty(self):
        """Takes the rows away again."""
        for table in [*self.tables, *TOTALS]:
            self.session.query(f"TRUNCATE TABLE {table}_versions")
        for table in (
            *(f"{unit}s_of_totals" for unit in UNITS),
            "message_effects_versions",
            "times_of_ids",
            "times_of_files",
        ):
            self.session.query(f"TRUNCATE TABLE {table}")
