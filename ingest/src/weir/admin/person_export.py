"""What the tables hold of one person as files to hand over: JSON Lines, one a table, and what they mean."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from clickhouse_connect.driver.binding import quote_identifier

from weir.admin.person import PersonRows
from weir.errors import UserError
from weir.sql import asking
from weir.text import printable

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

README = "README.md"
# A refused message is bytes of any kind, which JSON cannot hold.
BYTES = {"dead_letters_versions": ("bytes", "base64Encode(bytes)")}
_MEANINGS = """
SELECT name, type, comment FROM system.columns
WHERE database = currentDatabase() AND table = {table:String} ORDER BY position
"""
_ABOUT = """\
# What Weir holds of {name}

Written {now:%Y-%m-%d %H:%M:%S} UTC{cluster}. One file for each table, one line with a JSON object for each
row; times are UTC. A row that was corrected is here with each version that is still stored: of those with the
same identity the one with the highest `version` counts; where its `is_deleted` is 1 the row was taken back.

Dead letters are messages that could not be read. They are here because the name stands in them; look through
them before you hand them over. Their `bytes` are in Base64.
"""


class Written(NamedTuple):
    """One file of an export."""

    file: Path
    rows: int


def export(client: "Client", person: PersonRows, folder: Path) -> Iterator[Written]:
    """Write a file for each table that has rows of the person, and last what they mean.

    UserError where the folder is there already or cannot be made. Only the caller may read what is written.
    """
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}. Name a folder that is not there yet.") from None
    page = [_about(person)]
    for table, _ in person.held():
        file = folder / f"{table.removesuffix('_versions')}.jsonl"
        rows = _write(client, person, table, file)
        page.append(f"## {file.name}: {rows:,} rows\n\n| column | type | meaning |\n|---|---|---|")
        columns = client.query(_MEANINGS, parameters={"table": table}).result_rows
        page += [f"| `{name}` | {type_} | {_cell(meaning)} |" for name, type_, meaning in columns]
        page.append("")
        yield Written(file, rows)
    with _opened(folder / README) as out:
        out.write("\n".join(page).encode())


def _write(client: "Client", person: PersonRows, table: str, file: Path) -> int:
    column, value = BYTES.get(table, ("", ""))
    columns = f"* REPLACE ({value} AS {column})" if column else "*"
    sql = f"SELECT {columns} FROM {quote_identifier(table)} WHERE {person.conditions[table]}"  # noqa: S608
    with _opened(file) as out:
        asking.ask(client, sql, {}, "json", out)
    with file.open("rb") as lines:
        return sum(1 for _ in lines)


def _opened(file: Path) -> BinaryIO:
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _about(person: PersonRows) -> str:
    cluster = f", of cluster {printable(person.cluster)}" if person.cluster else ""
    return _ABOUT.format(name=printable(person.name), now=datetime.now(UTC), cluster=cluster)


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|")
