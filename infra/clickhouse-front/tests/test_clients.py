"""clickhouse-connect and its SQLAlchemy dialect, as Superset and Weir use them."""

from datetime import UTC, datetime

import clickhouse_connect
import pytest
from clickhouse_connect.driver.client import Client
from clickhouse_connect.driver.exceptions import ClickHouseError, DatabaseError
from front_process import FrontProcess, password
from sqlalchemy import MetaData, Table, create_engine, func, inspect, select

ROWS = [
    [1, "eins", datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC), [1.5, None], {"read": 1}],
    [2, "tab\tnew\nline", datetime(1970, 1, 1, tzinfo=UTC), [], {}],
]


def client(front: FrontProcess, login: str, compress: bool | str = False) -> Client:
    return clickhouse_connect.get_client(
        host="127.0.0.1",
        port=front.port,
        username=login,
        password=password(login),
        compress=compress,
        tz_mode="aware",
    )


@pytest.fixture
def wide(front: FrontProcess) -> str:
    client(front, "migrator").command(
        "CREATE OR REPLACE TABLE weir.wide (k UInt64, v String, t DateTime64(6, 'UTC'), "
        "a Array(Nullable(Float64)), m Map(String, UInt8)) ENGINE = MergeTree ORDER BY k"
    )
    return "weir.wide"


@pytest.mark.parametrize("compress", [False, "lz4", "zstd", "gzip", "br"])
def test_inserted_rows_come_back_to_the_reader(front: FrontProcess, wide: str, compress: bool | str) -> None:
    summary = client(front, "writer", compress).insert(wide, ROWS)
    result = client(front, "reader", compress).query(f"SELECT * FROM {wide} ORDER BY k")
    assert summary.written_rows == 2
    assert result.column_names == ("k", "v", "t", "a", "m")
    assert [list(row) for row in result.result_rows] == ROWS


def test_streaming_parameters_and_commands(front: FrontProcess) -> None:
    reader = client(front, "reader")
    with reader.query_row_block_stream("SELECT number FROM numbers(500000)") as blocks:
        assert sum(row[0] for block in blocks for row in block) == 500_000 * 499_999 // 2
    asked = reader.query("SELECT {n:UInt8} + 1, {s:String}", parameters={"n": 4, "s": "a\t'\\"})
    assert asked.result_rows == [(5, "a\t'\\")]
    assert reader.command("SELECT 40 + 2") == 42
    assert reader.query("SELECT 1 WHERE 0").result_rows == []


def test_reader_is_told_what_it_may_not_do(front: FrontProcess, wide: str) -> None:
    reader = client(front, "reader")
    with pytest.raises(DatabaseError, match="497"):
        reader.command(f"DROP TABLE {wide}")
    with pytest.raises(ClickHouseError):
        reader.insert(wide, ROWS)
    with pytest.raises(DatabaseError, match="516"):
        clickhouse_connect.get_client(host="127.0.0.1", port=front.port, username="reader", password="x")
    assert reader.query("SELECT getSetting('readonly')").result_rows == [(1,)]


def test_session_of_a_client_keeps_settings(front: FrontProcess) -> None:
    migrator = client(front, "migrator")
    migrator.command("SET max_block_size = 1234")
    assert migrator.command("SELECT getSetting('max_block_size')") == 1234


def test_sqlalchemy_reflects_and_selects(front: FrontProcess, wide: str) -> None:
    client(front, "writer").insert(wide, ROWS)
    engine = create_engine(f"clickhousedb://reader:{password('reader')}@127.0.0.1:{front.port}/weir")
    looked = inspect(engine)
    assert {"weir", "system"} <= set(looked.get_schema_names())
    assert "wide" in looked.get_table_names("weir")
    assert [c["name"] for c in looked.get_columns("wide", "weir")] == ["k", "v", "t", "a", "m"]
    wide_table = Table("wide", MetaData(), autoload_with=engine)
    with engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(wide_table)).scalar() == 2
        assert connection.execute(select(wide_table.c.v).where(wide_table.c.k == 1)).scalar() == "eins"
