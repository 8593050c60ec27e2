"""Writes the words of reports into ClickHouse, so that dashboards explain a finding as mails do."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from weir.report.words import advice_outline, fill, words

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

COLUMNS = ("kind", "key", "text", "version")


def store(client: "Client", database: str) -> None:
    """Replaces the rows of report_words by the words of this version of Weir."""
    version = time.time_ns() // 1000
    client.insert(
        "report_words_versions",
        [(*row, version) for row in rows()],
        database=database,
        column_names=COLUMNS,
    )


def rows() -> Iterator[tuple[str, str, str]]:
    """Gives kind, key and text: labels of verdicts, what findings mean, and what advice says to change."""
    for verdict, said in words()["verdicts"].items():
        yield "verdict", verdict, said["label"]
    for finding, said in words()["findings"].items():
        yield "finding", finding, fill(said["meaning"])
    for advice in words()["advice"]:
        text, code = advice_outline(advice)
        yield "advice", advice, "\n".join((text, *code))
