"""A log that comes when the stream has forgotten its job, or never knew it."""

import clickhouse_connect
import pytest
import yaml
from clients import CENTER


@pytest.fixture(scope="module")
def forgotten(center, weir, stack, tmp_path_factory):
    """A cluster whose scheduler's records are in ClickHouse only, as after their retention in the stream."""
    folder = tmp_path_factory.mktemp("forgotten")
    site = yaml.safe_load((CENTER / "site.yaml").read_text()) | {"cluster": "forgetful"}
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    log = next(CENTER.glob("darshan/generated/rank0_writer/*.darshan"))
    (folder / "late.darshan").write_bytes(log.read_bytes() + b"forgotten")
    (folder / "sacct.psv").write_text((CENTER / "sacct.psv").read_text().splitlines()[0] + "\n")
    (folder / "center.yaml").write_text(
        "site: site.yaml\nsacct: [sacct.psv]\niostat: {}\ndarshan: ['*.darshan']\n"
    )
    weir("site", "publish", folder / "site.yaml")
    weir("replay", folder, "--speed", "1000000")
    writer = clickhouse_connect.get_client(
        dsn=stack.clickhouse_url,
        username="writer",
        password=stack.clickhouse_secret("writer").read_text().strip(),
        database="weir",
    )
    return writer


def test_the_stored_record_joins_it(forgotten, weir, sql, drained, eventually):
    where = "WHERE cluster = 'forgetful'"
    # no samples come: when the wait for them is over, nothing but the reconciliation changes the run
    eventually(lambda: sql.one(f"SELECT load_state FROM runs {where}") == "no_samples")
    (run,) = sql.rows(f"SELECT * FROM runs {where}")
    assert run["job_join"] != "joined"
    assert "every run whose job is known" in weir("reconcile")
    # the record of the same job of the recorded center, moved to the run's own start
    seconds = "toIntervalSecond(60)"
    forgotten.command(
        "INSERT INTO scheduler_jobs_versions (* EXCEPT landed_at) SELECT * EXCEPT (landed_at) REPLACE ("
        f"'forgetful' AS cluster, toDateTime64('{run['start_time']}', 6, 'UTC') AS start_time, "
        f"toDateTime64('{run['start_time']}', 6, 'UTC') - {seconds} AS submit_time, "
        f"toDateTime64('{run['end_time']}', 6, 'UTC') AS end_time) "
        "FROM (SELECT * FROM scheduler_jobs_versions FINAL "
        f"WHERE cluster = 'labcluster' AND job_id = {run['job_id']})"
    )
    assert run["log_id"] in weir("reconcile", "--dry-run")
    drained()
    assert sql.one(f"SELECT job_join FROM runs {where}") != "joined"
    # another log of the job came eight days ago, and the stream knows it no more
    forgotten.command(
        "INSERT INTO runs_versions SELECT * REPLACE ('other' AS log_id, 'joined' AS job_join, "
        f"now64(6) - INTERVAL 8 DAY AS landed_at) FROM runs_versions FINAL {where}"
    )
    refused = weir("reconcile", code=1)
    assert "other" in refused
    assert "weir backfill --again" in refused
    drained()
    assert sql.one(f"SELECT job_join FROM runs {where} AND log_id != 'other'") != "joined"
    forgotten.command(  # as if it were published again
        "INSERT INTO log_modules_versions (* EXCEPT landed_at) SELECT * EXCEPT (landed_at) REPLACE ("
        f"'other' AS log_id) FROM log_modules_versions FINAL {where}"
    )
    assert "of 1 runs" in weir("reconcile")
    drained()
    (run,) = sql.rows(f"SELECT * FROM runs {where} AND log_id != 'other'")
    (job,) = sql.rows(f"SELECT * FROM scheduler_jobs {where}")
    assert (run["job_join"], run["job_uid"], run["user"]) == ("joined", job["job_uid"], job["user"])
    assert "every run whose job is known" in weir("reconcile")
