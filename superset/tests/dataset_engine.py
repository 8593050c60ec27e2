"""ClickHouse's engine in this process, with Weir's tables, that answers as Superset's datasets do."""

import json
from types import SimpleNamespace

import jinja2
from chdb.session import Session
from weir.admin.migrations import all_migrations
from weir_superset import assets

ASSETS = assets.read()
SINCE, UNTIL = "2026-05-01 00:00:00", "2026-06-01 00:00:00"
READER = "ann"
"""Who is signed in."""
# Rows written by hand are old: nothing of these goes for its age.
KEPT_FOR_A_TIME = ("filesystem_load", "server_load", "device_load")


def migrated(folder):
    """A session on empty tables."""
    session = Session(folder)
    session.query("CREATE DATABASE weir ENGINE = Atomic")
    session.query("USE weir")
    for migration in all_migrations():
        for statement in migration.statements("up"):
            session.query(statement)
    for table in KEPT_FOR_A_TIME:
        session.query(f"ALTER TABLE {table}_versions REMOVE TTL")
    return session


def where_in(values):
    """As Superset's own: values in SQL's quotes."""
    escaped = (value.replace("\\", "\\\\").replace("'", "''") for value in values)
    return "(" + ", ".join(f"'{value}'" for value in escaped) + ")"


class Engine:
    """Queries the datasets as Superset does, once their templates are filled in."""

    def __init__(self, session, rows):
        self.session, self.tables = session, list(rows)
        for table, lines in rows.items():
            text = "\n".join(map(json.dumps, lines))
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

    def _answer(self, dataset, columns, rest, since=SINCE, until=UNTIL, filters=None, **address):
        span = SimpleNamespace(from_expr=since, to_expr=until)
        environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
        environment.filters["where_in"] = where_in
        sql = environment.from_string(ASSETS.datasets[dataset].sql).render(
            get_time_filter=lambda *_, **__: span,
            filter_values=lambda column, **_: (filters or {}).get(column, []),
            url_param=address.get,
            current_username=lambda: READER,
        )
        sql = f"SELECT {columns} FROM ({sql}) AS virtual_table {rest}"
        return json.loads(str(self.session.query(sql, "JSON")))

    def empty(self):
        """Takes the rows away again."""
        for table in self.tables:
            self.session.query(f"TRUNCATE TABLE {table}_versions")
