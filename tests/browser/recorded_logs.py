"""The runs whose logs lie in the recorded center: a stack may hold others, which were only simulated."""

from hashlib import blake2b

from .site_under_test import ROOT


def newest_of_users(sql):
    """User -> the ids of a run and of its job, as the addresses of pages name them."""
    logs = (ROOT / "tests/data/center/darshan").rglob("*.darshan")
    ids = ", ".join(f"'{blake2b(log.read_bytes(), digest_size=16).hexdigest()}'" for log in logs)
    rows = sql.rows(
        "SELECT user, argMax(log_id, start_time) AS run, argMax(job_uid, start_time) AS job FROM runs "
        f"WHERE log_id IN ({ids}) AND job_uid != '' AND user IS NOT NULL GROUP BY user ORDER BY user"
    )
    return {row.pop("user"): row for row in rows}
