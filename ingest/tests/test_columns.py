"""schemas/clickhouse/columns.tsv is what the engine reports of the migrated tables."""

import json

from migrated_engine import migrated
from weir.schemas_dir import SCHEMAS

FILE = SCHEMAS / "clickhouse/columns.tsv"
COLUMNS = """
    SELECT table, name, type, comment FROM system.columns
    WHERE database = 'weir' AND table IN
        (SELECT name FROM system.tables WHERE database = 'weir' AND engine NOT LIKE '%View')
    ORDER BY table, position
"""


def test_the_file_is_that_of_the_migrations(tmp_path):
    session = migrated(tmp_path / "engine")
    rows = json.loads(str(session.query(COLUMNS, "JSONCompact")))["data"]
    session.close()
    assert not [field for row in rows for field in row if "\t" in field or "\n" in field]
    new = tmp_path / FILE.name
    new.write_text("".join("\t".join(row) + "\n" for row in [("table", "column", "type", "comment"), *rows]))
    assert FILE.read_text() == new.read_text(), f"copy {new} to schemas/clickhouse/{FILE.name}"
