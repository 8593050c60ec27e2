"""ClickHouse's engine with Weir's tables, which answers the SQL of datasets as Superset writes it."""

import json
from types import SimpleNamespace

import jinja2
from chdb.session import Session
from weir.admin.migrations import all_migrations
from weir_superset import assets

DATASETS = assets.read().datasets
_TEMPLATES = jinja2.Environment(autoescape=False, undefined=jinja2.StrictUndefined)
_TEMPLATES.filters["where_in"] = lambda values: f"({', '.join(map(_quoted, values))})"


def _quoted(value):
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def rendered(dataset, since, until, filters=None, **url):
    """The SQL of a dataset for a range, filters by column and the parameters of the page's address."""
    span = SimpleNamespace(from_expr=since, to_expr=until)
    return _TEMPLATES.from_string(DATASETS[dataset].sql).render(
        get_time_filter=lambda *_, **__: span,
        filter_values=lambda column, **_: (filters or {}).get(column, []),
        url_param=url.get,
        current_username=lambda: "ann",
    )


class Engine:
    """A database with all tables, empty at first."""

    def __init__(self, folder):
        self.session = Session(str(folder))
        self.session.query("CREATE DATABASE weir ENGINE = Atomic")
        self.session.query("USE weir")
        for migration in all_migrations():
            for statement in migration.statements("up"):
                self.session.query(statement)

    def insert(self, table, rows):
        """Add rows, as objects, to the table behind a view."""
        lines = "\n".join(map(json.dumps, rows))
        self.session.query(f"INSERT INTO {table}_versions FORMAT JSONEachRow {lines}")

    def rows(self, sql):
        """The answer, an object a row."""
        return json.loads(str(self.session.query(sql, "JSON")))["data"]
