"""Measures now and then what only the tables know of the pipeline.

Delay, new dead letters, coverage, days whose totals wait to be worked out, views that cannot be refreshed.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clickhouse_connect.driver.exceptions import DatabaseError, OperationalError

from weir.admin.pipeline import Reading
from weir.clickhouse import patiently
from weir.errors import complain

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

EVERY = timedelta(minutes=5)
"""Each query reads columns of weeks of rows: a fraction of a second, but not at every look."""
LEAST_RUNS = 5
"""The least number of runs: of fewer, one late log would be the whole delay."""
LEAST_LOGS = 30
"""So many logs are expected of a day that is compared: of fewer, chance halves them once in a while."""

# From the end of a run's job, or of the run if that is later, to the rows of its log that no correction
# writes again. The longest jobs take weeks.
DELAY = """
SELECT logs.cluster AS cluster,
    quantileExact(0.95)(
        greatest(0, dateDiff('millisecond', greatest(run_ended, job_ended), landed) / 1000)
    ) AS seconds
FROM
(
    SELECT cluster, log_id, min(landed_at) AS landed
    FROM log_modules_versions
    WHERE start_time >= now64(6) - INTERVAL 60 DAY AND landed_at >= now64(6) - INTERVAL 15 MINUTE
        AND origin = 'live'
    GROUP BY cluster, log_id
) AS logs
INNER JOIN
(
    SELECT cluster, log_id, argMax(job_uid, version) AS job_uid, max(end_time) AS run_ended
    FROM runs_versions
    WHERE start_time >= now64(6) - INTERVAL 60 DAY AND landed_at >= now64(6) - INTERVAL 15 MINUTE
    GROUP BY cluster, log_id
) AS runs
ON runs.cluster = logs.cluster AND runs.log_id = logs.log_id
INNER JOIN
(
    SELECT cluster, job_uid, max(assumeNotNull(end_time)) AS job_ended
    FROM scheduler_jobs_versions
    WHERE landed_at >= now64(6) - INTERVAL 1 DAY AND end_time IS NOT NULL
    GROUP BY cluster, job_uid
) AS jobs
ON jobs.cluster = logs.cluster AND jobs.job_uid = runs.job_uid
GROUP BY logs.cluster
HAVING count() >= {runs:UInt32}
"""

# A row can stand for many messages of a source that sends nothing else: it counts once.
DEAD_LETTERS = """
SELECT source, uniqExact(cluster, id) AS new
FROM dead_letters_versions
WHERE origin = 'live' AND landed_at >= now64(6) - INTERVAL 10 MINUTE
GROUP BY source
"""

# Two hours after its end a job's logs must be there, awaited or not.
COVERAGE = """
SELECT cluster, logged / jobs AS share, logged_before / jobs_before AS share_before
FROM
(
    SELECT cluster,
        countIf(end_time >= now64(6) - INTERVAL 26 HOUR) AS jobs,
        countIf(end_time >= now64(6) - INTERVAL 26 HOUR AND logs_analysed > 0) AS logged,
        count() - jobs AS jobs_before,
        countIf(logs_analysed > 0) - logged AS logged_before
    FROM job_results
    WHERE submit_time >= now64(6) - INTERVAL 60 DAY
        AND end_time >= now64(6) - INTERVAL 194 HOUR AND end_time < now64(6) - INTERVAL 2 HOUR
        AND coverage NOT IN ('running', 'not_started')
    GROUP BY cluster
)
WHERE jobs * share_before >= {logs:UInt32}
"""

# Totals are worked out within a quarter of an hour, ten days at a time: they wait when many come at once.
# Those of files of users are by hour, four at a time; a day waits while one of its hours does.
TOTALS = """
SELECT table,
    countIf(NOT is_current AND landed_at < now64(6) - INTERVAL 1 HOUR AND day < today() - 1) AS waiting
FROM days_with_totals
GROUP BY table
UNION ALL
SELECT 'user_file_totals' AS table,
    uniqExactIf(
        toDate(hour),
        NOT is_current AND landed_at < now64(6) - INTERVAL 1 HOUR AND hour < now() - INTERVAL 26 HOUR
    ) AS waiting
FROM hours_with_totals
"""

# Views are refreshed every five minutes; one that fails once, such as for lack of memory, is tried again.
REFRESHES = """
SELECT view
FROM system.view_refreshes
WHERE database = currentDatabase() AND exception != ''
    AND (last_success_time IS NULL OR last_success_time < now() - INTERVAL 20 MINUTE)
"""


class Measures:
    """Measures when it is time and keeps the result: while ClickHouse is away nothing newer is known."""

    def __init__(self) -> None:
        self.latest: list[Reading] = []
        self._next: datetime | None = None

    def take(self, client: "Client", now: datetime) -> list[Reading]:
        """The new readings if it is time for them, else none; OperationalError where ClickHouse is away."""
        if self._next and now < self._next:
            return []
        try:
            self.latest = list(measure(client, now))
        except OperationalError:
            raise
        except DatabaseError as error:  # such as of a busy server's memory; all else is still recorded
            complain(f"delay and coverage are not measured: {error}")
            return []
        finally:
            self._next = now + EVERY
        return self.latest


def measure(client: "Client", now: datetime) -> Iterator[Reading]:
    """Delay and coverage by cluster, new dead letters by source, days without totals by table, stale views.

    What is too little to judge is left out.
    """
    query = patiently(client.query)
    for row in query(DELAY, parameters={"runs": LEAST_RUNS}).named_results():
        yield Reading(now, "delay_p95_seconds", "", row["cluster"], row["seconds"])
    for row in query(DEAD_LETTERS).named_results():
        yield Reading(now, "dead_letters_new", "", row["source"], row["new"])
    for row in query(COVERAGE, parameters={"logs": LEAST_LOGS}).named_results():
        yield Reading(now, "coverage_share", "", row["cluster"], row["share"])
        yield Reading(now, "coverage_share_before", "", row["cluster"], row["share_before"])
    for row in query(TOTALS).named_results():
        yield Reading(now, "days_without_totals", "", row["table"], row["waiting"])
    for row in query(REFRESHES).named_results():
        yield Reading(now, "refreshes_failing", "", row["view"], 1)
