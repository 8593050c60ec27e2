"""Formats of results: which Content-Type each has, as a ClickHouse server names it."""

import re

from weir_clickhouse_front.errors import FrontError

CONTENT_TYPES = {
    r"json\w*eachrow\w*|jsonlines|ndjson": "application/x-ndjson; charset=UTF-8",
    r"json\w*": "application/json; charset=UTF-8",
    r"csvwithnames\w*": "text/csv; charset=UTF-8; header=present",
    r"csv": "text/csv; charset=UTF-8; header=absent",
    r"(?:tsv|tabseparated)\w*": "text/tab-separated-values; charset=UTF-8",
    r"xml": "application/xml; charset=UTF-8",
    r"native|rowbinary\w*|parquet|arrow\w*|orc|avro|msgpack|bson\w*|npy": "application/octet-stream",
}
NAME = re.compile(r"\w+", re.ASCII)


def content_type(fmt: str) -> str:
    """What an answer in this format is called."""
    found = (kind for pattern, kind in CONTENT_TYPES.items() if re.fullmatch(pattern, fmt.lower()))
    return next(found, "text/plain; charset=UTF-8")


def checked_format(fmt: str) -> str:
    """The name of a format, if it is one: it goes into a statement as it is."""
    if not NAME.fullmatch(fmt):
        raise FrontError(73, "UNKNOWN_FORMAT", f"Unknown format {fmt!r}")
    return fmt
