"""Shows the tables and columns that SQL can ask, with what they mean."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

# What a reader may ask: its name with the arguments that it needs, and the table of which it has the columns,
# as a view with parameters has none before it is asked. What is left out is of use to the engine only.
_ASKED = """
SELECT
    name,
    arrayDistinct(extractAll(as_select, '\\\\{(\\\\w+):')) AS arguments,
    has(arguments, 'until') AS of_range,
    name || if(empty(arguments), '', '(' || arrayStringConcat(arguments, ', ') || ')') AS asked,
    multiIf(of_range, name || '_versions', replaceRegexpOne(name, '_since$', '')) AS columns_of,
    comment
FROM system.tables
WHERE database = currentDatabase() AND engine != 'MaterializedView' AND name != 'migrations'
    AND NOT match(name, '_(versions|measures|to_total|built)$')
"""
_TABLES = f"SELECT asked, comment FROM ({_ASKED}) ORDER BY asked"  # noqa: S608

# A column of a view that has no comment has that of the table below it. A row of totals has a time instead
# of a day or an hour; columns that only their building needs are left out.
_COLUMNS = f"""
WITH tables.of_range AND own.name IN ('day', 'hour') AS is_period
SELECT
    tables.asked,
    if(is_period, 'time', own.name),
    if(is_period, 'DateTime64(6, \\'UTC\\')', own.type),
    if(
        is_period,
        'when it was, in UTC; where the row adds up an hour, a day or a month, when that began',
        ifNull(nullIf(own.comment, ''), below.comment)
    )
FROM ({_ASKED}) AS tables
INNER JOIN
(
    SELECT table, name, type, comment, position FROM system.columns WHERE database = currentDatabase()
) AS own ON own.table = tables.columns_of
LEFT JOIN
(
    SELECT replaceRegexpOne(table, '_versions$', '') AS view, name, comment
    FROM system.columns
    WHERE database = currentDatabase() AND table LIKE '%\\_versions'
) AS below ON below.view = tables.columns_of AND below.name = own.name
WHERE NOT (tables.of_range AND own.name IN ('submit_day', 'day_rows', 'records', 'built_at'))
ORDER BY tables.asked, own.position
"""  # noqa: S608


class Table(NamedTuple):
    """A table or view: what one row of it is."""

    name: str
    meaning: str


class Column(NamedTuple):
    """A column of a table or view."""

    table: str
    name: str
    type: str
    meaning: str


def tables(client: "Client") -> list[Table]:
    """Return all tables that a reader may ask."""
    return [Table(*row) for row in client.query(_TABLES).result_rows]


def columns(client: "Client") -> list[Column]:
    """Return all their columns, by table."""
    return [Column(*row) for row in client.query(_COLUMNS).result_rows]
