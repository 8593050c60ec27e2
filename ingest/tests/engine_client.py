"""A chDB session spoken to as a client of clickhouse-connect is: what the commands of `weir` use of it."""

import io
import json
from types import SimpleNamespace

from chdb import ChdbError
from clickhouse_connect.driver.exceptions import DatabaseError
from migrated_engine import migrated


class EngineClient:
    """Answers of ClickHouse's engine in this process, on Weir's migrated tables."""

    database = "weir"

    def __init__(self, folder):
        self._session = migrated(folder)

    def close(self):
        self._session.close()

    def query(self, sql, parameters=None):
        answer = json.loads(self._ask(sql, "JSONCompact", parameters) or '{"data": [], "meta": []}')
        names = [each["name"] for each in answer["meta"]]
        rows = [tuple(row) for row in answer["data"]]
        return SimpleNamespace(
            result_rows=rows, named_results=lambda: (dict(zip(names, row, strict=True)) for row in rows)
        )

    def command(self, sql, parameters=None):
        self._ask(sql, "Null", parameters)

    def raw_stream(self, sql, parameters=None, fmt=None):
        return io.BytesIO(bytes(self._session.query(sql, fmt, params=_sent(parameters)).bytes()))

    def rows(self, sql, **parameters):
        """Rows as tuples."""
        return self.query(sql, parameters).result_rows

    def one(self, sql, **parameters):
        """The only value of the only row."""
        ((value,),) = self.rows(sql, **parameters)
        return value

    def _ask(self, sql, fmt, parameters):
        try:
            return str(self._session.query(sql, fmt, params=_sent(parameters)))
        except ChdbError as error:
            raise DatabaseError(str(error)) from None


def _sent(parameters):
    """As clickhouse-connect sends texts: in the form of TSV."""
    escapes = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\0": "\\0"}
    return {
        name: "".join(escapes.get(c, c) for c in value) if isinstance(value, str) else value
        for name, value in (parameters or {}).items()
    }
