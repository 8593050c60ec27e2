"""`weir reconcile` finds the runs that fit a stored job as the analysis joins them."""

import json

from migrated_engine import migrated
from weir.admin.reconcile import UNJOINED
from weir.formats.job_record import JOIN_PADDING_SECONDS
from weir.schemas_dir import SCHEMAS

RUN = """
INSERT INTO runs_versions (cluster, log_id, job_id, uid, start_time, job_join, version)
VALUES ('demo', '{log_id}', {job_id}, 7, toDateTime64({log_start}, 6, 'UTC'), 'waiting', 1)
"""
JOB = """
INSERT INTO scheduler_jobs_versions
    (cluster, job_uid, job_id, uid, submit_time, start_time, end_time, version)
VALUES ('demo', '{job_id}', {job_id}, 7, {times}, 1)
"""


def test_runs_fit_the_jobs_that_they_join_by_the_vectors(tmp_path):
    vectors = json.loads((SCHEMAS / "vectors/join.json").read_text())
    session = migrated(tmp_path / "engine")
    for number, vector in enumerate(vectors):
        session.query(RUN.format(log_id=vector["what"], job_id=number, log_start=vector["log_start"]))
        seconds = (vector["job_start"], vector["job_start"], vector["job_end"])
        times = ", ".join(f"toDateTime64({each}, 6, 'UTC')" for each in seconds)
        session.query(JOB.format(job_id=number, times=times))
    asked = {"since": "1970-01-01 00:00:00", "padding": JOIN_PADDING_SECONDS}
    rows = json.loads(str(session.query(UNJOINED, "JSONCompact", params=asked)))["data"]
    session.close()
    assert {row[2] for row in rows} == {vector["what"] for vector in vectors if vector["joins"]}
