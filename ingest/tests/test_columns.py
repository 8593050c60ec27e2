"""columns.tsv is what the engine reports of the migrated tables, and these say what they mean."""

from weir.admin.migrations import Migrator
from weir.schemas_dir import SCHEMAS
from weir.sql import dictionary

FILE = SCHEMAS / "clickhouse/columns.tsv"
COLUMNS = """
    SELECT table, name, type, comment FROM system.columns
    WHERE database = 'weir' AND table IN
        (SELECT name FROM system.tables WHERE database = 'weir' AND engine LIKE '%MergeTree')
    ORDER BY table, position
"""
KINDS = COLUMNS.replace("type, comment", "default_kind")
SILENT_IN_VIEWS = """
    SELECT table, name FROM system.columns
    WHERE database = 'weir' AND comment = '' AND NOT match(table, '_(measures|to_total)$') AND table IN
        (SELECT name FROM system.tables WHERE database = 'weir' AND engine = 'View')
"""
RANGE = {
    "(since)": "(since = '2026-01-01')",
    "(since, until)": "(since = '2026-01-01', until = '2026-02-01')",
    "(since, until, user)": "(since = '2026-01-01', until = '2026-02-01', user = 'ann')",
    "(since, until, file)": "(since = '2026-01-01', until = '2026-02-01', file = '/s/in')",
}


def test_the_file_is_that_of_the_migrations(engine, tmp_path):
    rows = engine.rows(COLUMNS)
    assert not [field for row in rows for field in row if "\t" in field or "\n" in field]
    new = tmp_path / FILE.name
    new.write_text("".join("\t".join(row) + "\n" for row in [("table", "column", "type", "comment"), *rows]))
    assert FILE.read_text() == new.read_text(), f"copy {new} to schemas/clickhouse/{FILE.name}"


def test_each_column_of_the_file_can_be_written(engine):
    """The jobs' sink writes every column that the file names, which the engine refuses for these kinds."""
    kinds = "('MATERIALIZED', 'ALIAS', 'EPHEMERAL')"
    assert engine.rows(f"SELECT table, name FROM ({KINDS}) WHERE default_kind IN {kinds}") == []
    assert engine.rows(f"SELECT name FROM ({KINDS}) WHERE default_kind = 'DEFAULT'")


def test_each_table_says_what_a_row_is(engine):
    assert [table.name for table in dictionary.tables(engine) if not table.meaning] == []


def test_each_column_says_what_it_means(engine):
    silent = [f"{column.table}.{column.name}" for column in dictionary.columns(engine) if not column.meaning]
    assert silent == []
    assert engine.rows(f"SELECT table, name FROM ({COLUMNS}) WHERE comment = ''") == []


def test_the_columns_are_those_that_the_tables_have_when_they_are_asked(engine):
    told = dictionary.columns(engine)
    for table in dictionary.tables(engine):
        name, bracket, asked_with = table.name.partition("(")
        source = name + RANGE.get(bracket + asked_with, "")
        have = {column for column, *_ in engine.rows(f"DESCRIBE TABLE {source}")}
        assert {column.name for column in told if column.table == table.name} == have, table.name


def test_a_view_says_what_its_columns_mean(engine):
    """A view does not take the comments of its table; `weir migrate up` gives them to it."""
    assert engine.rows(SILENT_IN_VIEWS)
    list(Migrator(engine, "weir", []).up())
    assert engine.rows(SILENT_IN_VIEWS) == []
    for view in ("runs", "alerts", "posix_records"):
        of_table = {row[0]: row[4] for row in engine.rows(f"DESCRIBE TABLE {view}_versions")}
        assert {row[0]: row[4] for row in engine.rows(f"DESCRIBE TABLE {view}")}.items() <= of_table.items()
