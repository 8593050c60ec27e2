"""What readers are allowed agrees with what the schema offers them."""

import re
from pathlib import Path

from weir_clickhouse_front.allowed import TABLE_FUNCTIONS

MIGRATIONS = Path(__file__).resolve().parents[3] / "schemas/clickhouse"
VIEW = re.compile(r"^CREATE (?:OR REPLACE )?VIEW (\w+) AS\n(.*?);", re.MULTILINE | re.DOTALL)


def test_views_that_take_a_range_may_be_asked():
    views = {
        name
        for file in MIGRATIONS.glob("*.up.sql")
        for name, sql in VIEW.findall(file.read_text(encoding="utf-8"))
        if "{since:" in sql
    }
    assert "run_totals" in views
    assert not views - TABLE_FUNCTIONS
