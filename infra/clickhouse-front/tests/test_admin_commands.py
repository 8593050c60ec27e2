"""`weir migrate retention` and `weir person` over HTTP, as the migrator's login."""

from collections.abc import Iterator
from pathlib import Path

import clickhouse_connect
import pytest
from clickhouse_connect.driver.client import Client
from front_process import FrontProcess, password, wait_until
from weir.admin import person_export
from weir.admin.migrations import Migrator
from weir.admin.person import PersonRows
from weir.admin.retention import Retention
from weir.errors import UserError

DATABASE = "people"
NAME = "x' OR 1 = 1 -- \\ {name:String}\n"


@pytest.fixture(scope="module")
def client(front: FrontProcess) -> Iterator[Client]:
    client = clickhouse_connect.get_client(
        host="127.0.0.1", port=front.port, username="migrator", password=password("migrator")
    )
    list(Migrator(client, DATABASE).up())
    rows = [["c", user, user, 1] for user in (NAME, "bob")]
    client.insert("cases_versions", rows, column_names=["cluster", "user", "case_id", "version"])
    runs = [["c", user, user, 1] for user in (NAME, "bob")]
    client.insert("runs_versions", runs, column_names=["cluster", "user", "log_id", "version"])
    yield client
    client.command(f"DROP DATABASE {DATABASE}")


def people(client: Client) -> list[str]:
    return [user for (user,) in client.query("SELECT user FROM cases_versions ORDER BY user").result_rows]


def keys(client: Client) -> int:
    sql = "SELECT count() FROM system.tables WHERE startsWith(name, 'person_keys_')"
    return int(client.query(sql).result_rows[0][0])


def test_what_cannot_be_deleted_is_given_up(client: Client) -> None:
    with PersonRows(client, DATABASE, NAME) as person:
        person.conditions["cases_versions"] += " AND throwIf(user = 'bob') = 0"
        person.conditions["cases_versions"] += " OR throwIf(1) = 1"
        with pytest.raises(UserError, match="cases_versions: rows could not be deleted"):
            person.erase("cases_versions")
    assert people(client) == ["bob", NAME]
    unfinished = "SELECT count() FROM system.mutations WHERE NOT is_done AND database = {db:String}"
    assert client.query(unfinished, parameters={"db": DATABASE}).result_rows == [(0,)]
    assert keys(client) == 0


def test_a_person_is_exported_and_erased(client: Client, tmp_path: Path) -> None:
    with PersonRows(client, DATABASE, NAME) as person:
        held = person.held()
        assert [tuple(each) for each in held] == [("cases_versions", 1), ("runs_versions", 1)]
        written = list(person_export.export(client, person, tmp_path / "out"))
        assert [(each.file.name, each.rows) for each in written] == [("cases.jsonl", 1), ("runs.jsonl", 1)]
        for table, _ in held:
            person.erase(table)
        assert person.held() == []
    assert people(client) == ["bob"]
    assert keys(client) == 0


def test_a_retention_is_shortened_and_rows_go(client: Client) -> None:
    old, new = "now64(6) - INTERVAL 100 DAY", "now64(6)"
    for time in (old, new):
        client.command(
            "INSERT INTO dead_letters_versions (cluster, source, id, time, version) "
            f"SELECT 'c', 's', '{time}', {time}, 1"
        )
    retention = Retention(client, DATABASE, {"dead_letters": 30}, Path("weir.yaml"))
    (line,) = retention.apply(retention.tables(), may_delete=True)
    assert line.startswith("dead_letters: for ever -> 30 days, deletes 1 rows of 1 days from ")

    def left() -> list[str]:
        return [id_ for (id_,) in client.query("SELECT id FROM dead_letters_versions").result_rows]

    wait_until(lambda: left() == [new], "the old row is gone")
    assert list(retention.apply(retention.tables(), may_delete=False)) == []
