"""Export and erasure of one user, on a cluster of its own: what is left, and what of the other user."""

import json

import pytest
import yaml
from clients import CENTER, clickhouse

CLUSTER = "leaving"
GONE, STAYS = "hpcuser2", "hpcuser3"
JOBS = {GONE: "10", STAYS: "14"}


@pytest.fixture(scope="module")
def leaving(center, weir, sql, eventually, drained, tmp_path_factory):
    """A run and a job of two users."""
    folder = tmp_path_factory.mktemp("leaving")
    site = yaml.safe_load((CENTER / "site.yaml").read_text())
    del site["alerts"]  # nobody gets a mail of this, and nothing comes late
    site |= {"cluster": CLUSTER}
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    header, *lines = (CENTER / "sacct.psv").read_text().splitlines()
    jobs = [line for line in lines if line.split("|")[0] in JOBS.values()]
    sacct = "\n".join([header, *jobs]).replace("|labcluster|", f"|{CLUSTER}|")
    (folder / "sacct.psv").write_text(sacct + "\n")
    for user, job in JOBS.items():
        (log,) = CENTER.glob(f"darshan/generated/*/{user}_ior_id{job}-*.darshan")
        (folder / log.name).write_bytes(log.read_bytes() + CLUSTER.encode())
    (folder / "center.yaml").write_text(
        "site: site.yaml\nsacct: [sacct.psv]\niostat: {}\ndarshan: ['*.darshan']\n"
    )
    weir("site", "publish", folder / "site.yaml")
    weir("replay", folder, "--speed", "1000000")
    # No samples come: once the wait for them is over, nothing of these runs changes any more.
    runs = f"SELECT user, load_state FROM runs WHERE cluster = '{CLUSTER}' ORDER BY user"
    settled = [{"user": user, "load_state": "no_samples"} for user in (GONE, STAYS)]
    eventually(lambda: sql.rows(runs) == settled)
    of_cluster = f"WHERE cluster = '{CLUSTER}'"
    eventually(lambda: sql.one(f"SELECT countIf(settled) FROM job_results {of_cluster}") == 2)
    drained()


def counts(stack, *texts, merged=False):
    """Rows of the cluster by table, where one of the texts stands in any column.

    Merged, a row whose versions the engine has not yet put together counts once.
    """
    client = clickhouse(stack, "migrator")
    tables = client.query(
        "SELECT c.table, groupArray(c.name) FROM system.columns AS c "
        "INNER JOIN system.tables AS t ON t.database = c.database AND t.name = c.table "
        "WHERE c.database = 'weir' AND c.type LIKE '%String%' AND t.engine LIKE '%MergeTree' "
        "GROUP BY c.table HAVING has(groupArray(c.name), 'cluster')"
    )
    found = {}
    for table, columns in tables.result_rows:
        row = ", ".join(f"ifNull(toString(`{column}`), '')" for column in columns)
        sql = f"SELECT count() FROM {table} WHERE cluster = '{CLUSTER}'"
        sql += f" AND multiSearchAny(concatWithSeparator(' ', '', {row}), {{texts:Array(String)}})"
        ((rows,),) = client.query(
            sql, parameters={"texts": list(texts)}, settings={"final": int(merged)}
        ).result_rows
        if rows:
            found[table] = rows
    return found


def test_one_user_is_exported_and_erased_and_the_other_stays(leaving, weir, sql, stack, tmp_path):
    log, others_log = (
        sql.one(f"SELECT log_id FROM runs WHERE cluster = '{CLUSTER}' AND user = '{user}'")
        for user in (GONE, STAYS)
    )
    records = sql.one("SELECT count() FROM posix_records WHERE log_id = {log:String}", log=log)
    assert records > 0
    others = counts(stack, STAYS, others_log, merged=True)
    elsewhere = sql.one(f"SELECT count() FROM runs WHERE cluster = 'labcluster' AND user = '{GONE}'")
    assert {"runs_versions", "scheduler_jobs_versions", "posix_records_versions"} <= others.keys()

    weir("person", "export", GONE, "--cluster", CLUSTER, "--output", tmp_path / "out")
    rows = {
        file.stem: [json.loads(line) for line in file.read_text().splitlines()]
        for file in (tmp_path / "out").glob("*.jsonl")
    }
    assert {row["log_id"] for row in rows["runs"]} == {log}
    assert {row["user"] for row in rows["scheduler_jobs"]} == {GONE}
    assert len(rows["posix_records"]) == records
    assert STAYS not in json.dumps(rows)

    said = weir("person", "erase", GONE, "--cluster", CLUSTER, "--yes")
    assert f"posix_records_versions: {records:,} rows" in said
    for part in ("weir.darshan.log", "Flink's state", "Backups", "Run this again after"):
        assert part in said
    assert counts(stack, GONE, log) == {}
    assert counts(stack, STAYS, others_log, merged=True) == others
    assert sql.one(f"SELECT count() FROM runs WHERE cluster = 'labcluster' AND user = '{GONE}'") == elsewhere
    assert "there is nothing of" in weir("person", "erase", GONE, "--cluster", CLUSTER, "--yes", code=1)


def test_every_table_has_the_retention_that_is_declared(leaving, weir):
    assert "every table has the configured retention" in weir("migrate", "retention")
    assert "posix_records: 1 year" in weir("migrate", "retention", "--dry-run")
