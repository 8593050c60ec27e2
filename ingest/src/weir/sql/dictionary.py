"""Shows the tables and columns that SQL can ask, with what they mean."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

# A view has no comments of its own: they are those of the table below it. Totals have no columns before
# they are asked with a range: they are those of the table too.
_COLUMNS = """
SELECT views.table, views.name, views.type, ifNull(nullIf(views.comment, ''), below.comment) AS meaning
FROM
(
    SELECT * FROM system.columns WHERE database = currentDatabase() AND table NOT LIKE '%\\_versions'
    UNION ALL
    SELECT * REPLACE (replaceOne(table, '_versions', '(since, until)') AS table)
    FROM system.columns
    WHERE database = currentDatabase() AND table LIKE '%\\_totals\\_versions'
        AND name NOT IN ('day_rows', 'built_at')
) AS views
LEFT JOIN
(
    SELECT replaceRegexpOne(table, '_versions$', '') AS view, name, comment
    FROM system.columns
    WHERE database = currentDatabase() AND table LIKE '%\\_versions'
) AS below ON below.view = views.table AND below.name = views.name
WHERE views.table NOT IN ('migrations', 'days_to_total') AND views.table NOT LIKE '%\\_measures'
    AND views.table NOT IN (
        SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'
    )
ORDER BY views.table, views.position
"""


class Column(NamedTuple):
    """A column of a table or view."""

    table: str
    name: str
    type: str
    meaning: str


def columns(client: "Client") -> list[Column]:
    """Return all columns that a reader may ask, by table."""
    return [Column(*row) for row in client.query(_COLUMNS).result_rows]
