"""Has SQL Lab answer what was asked: the rows that a LIMIT leaves, and numbers as they are.

Superset puts its own limit in place of any that a statement has (its issue 40070), reads whole numbers from
2 ** 63 on as negative ones, and shows no answer with a number from 10 ** 21 on (its issue 44079).
"""

from typing import Any

from weir_large_numbers import EXACT


def readable(value: Any) -> Any:
    """Returns a number that a browser does not hold exactly as text; all else as it is."""
    return str(value) if isinstance(value, int | float) and abs(value) > EXACT else value


def held(value: Any) -> Any:
    """Returns a whole number too large for Arrow as text, which Superset then makes of all its column."""
    return str(value) if isinstance(value, int) and value >= 2**63 else value


def install() -> None:
    """Mends this in Superset's own classes, which have no setting for it."""
    # Superset's models can only be loaded within its application.
    from clickhouse_connect.datatypes.format import set_default_formats
    from superset.db_engine_specs import clickhouse  # noqa: F401 - it sets the formats first
    from superset.result_set import SupersetResultSet
    from superset.sql.parse import LimitMethod, SQLStatement

    from superset import dataframe

    set_default_formats("UInt64", "native")
    of_rows = SupersetResultSet.__init__

    def of_held_rows(self: SupersetResultSet, rows: Any, *described: Any) -> None:
        of_rows(self, [tuple(map(held, row)) for row in rows or ()], *described)

    SupersetResultSet.__init__ = of_held_rows
    dataframe._convert_big_integers = readable
    own = SQLStatement.set_limit_value

    def set_limit_value(
        self: SQLStatement, limit: int, method: LimitMethod = LimitMethod.FORCE_LIMIT
    ) -> None:
        """Never raises a limit, and leaves one of another kind, such as LIMIT 3 BY user, within."""
        there, number = self._parsed.args.get("limit"), self.get_limit_value()
        parts = {part for part, value in there.args.items() if value} if there else set()
        if there and (number is None or parts != {"expression"}):
            own(self, limit, LimitMethod.WRAP_SQL)
        elif number is None or number > limit:
            own(self, limit, method)

    SQLStatement.set_limit_value = set_limit_value
