-- The totals of jobs are kept by the state in which jobs ended, too, and count the jobs without a log: questions about a year read
-- every job for that. All days are added up again; until a day is, its rows are read.
DROP TABLE days_of_totals_build;

DROP TABLE job_totals_build;

ALTER TABLE job_totals_versions
    ADD COLUMN state LowCardinality(String) COMMENT 'as in job_results',
    MODIFY ORDER BY (cluster, submit_day, day, user, account, coverage, state);

ALTER TABLE job_totals_versions ADD COLUMN jobs_without_log UInt64 COMMENT 'of these jobs those without an analyzed log';

INSERT INTO days_of_totals (table, day, landed_at)
SELECT table, day, now64(6, 'UTC') FROM days_with_totals WHERE table = 'job_results';

CREATE OR REPLACE VIEW job_measures AS
SELECT
    submit_time,
    toDate(submit_time) AS submit_day,
    job_results.start_time AS started,
    coalesce(job_results.start_time, submit_time) AS start_time,
    toDate(start_time) AS day,
    cluster,
    ifNull(job_results.user, '(unknown)') AS user,
    ifNull(job_results.account, '(unknown)') AS account,
    coverage,
    state,
    toUInt64(1) AS jobs,
    toUInt64(logs_analysed = 0) AS jobs_without_log,
    ifNull(job_results.node_hours, 0) AS node_hours,
    ifNull(job_results.node_hours_lost, 0) AS node_hours_lost,
    ifNull(job_results.bytes_read, 0) AS bytes_read,
    ifNull(job_results.bytes_written, 0) AS bytes_written
FROM job_results;

CREATE MATERIALIZED VIEW job_totals_build REFRESH EVERY 5 MINUTE APPEND TO job_totals_versions AS
SELECT
    each.cluster AS cluster,
    each.submit_day AS submit_day,
    each.day AS day,
    each.user AS user,
    each.account AS account,
    each.coverage AS coverage,
    each.state AS state,
    sum(each.jobs) AS jobs,
    sum(each.jobs_without_log) AS jobs_without_log,
    sum(each.node_hours) AS node_hours,
    sum(each.node_hours_lost) AS node_hours_lost,
    sum(each.bytes_read) AS bytes_read,
    sum(each.bytes_written) AS bytes_written,
    count() OVER (PARTITION BY submit_day) AS day_rows,
    now64(6, 'UTC') AS built_at
FROM job_measures AS each
WHERE each.submit_day IN (SELECT day FROM days_to_total WHERE table = 'job_results')
GROUP BY cluster, submit_day, day, user, account, coverage, state;

CREATE OR REPLACE VIEW job_totals AS
WITH
    -- the days that lie in the range as a whole
    toDate(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND) AS first_day,
    toDate(least({until:DateTime64(6, 'UTC')}, toDateTime64('2149-01-01', 6, 'UTC'))) AS end_day,
    -- one value, so that it is looked up once: the days whose totals count, with their builds, and the other days
    (
        SELECT (groupArrayIf((day, built_at), is_current), groupArrayIf(day, NOT is_current))
        FROM days_with_totals
        WHERE table = 'job_results'
    ) AS days
SELECT
    toDateTime64(day, 6, 'UTC') AS time,
    cluster, user, account, coverage, state, jobs, jobs_without_log, node_hours, node_hours_lost, bytes_read, bytes_written
FROM job_totals_versions
WHERE day >= first_day AND day < end_day AND (submit_day, built_at) IN days.1
UNION ALL
SELECT
    start_time AS time,
    cluster, user, account, coverage, state, jobs, jobs_without_log, node_hours, node_hours_lost, bytes_read, bytes_written
FROM job_measures
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')} AND submit_day IN days.2
    -- what the index of starts knows
    AND (started >= {since:DateTime64(6, 'UTC')} OR started IS NULL)
UNION ALL
SELECT
    start_time AS time,
    cluster, user, account, coverage, state, jobs, jobs_without_log, node_hours, node_hours_lost, bytes_read, bytes_written
FROM job_measures
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')} AND submit_day NOT IN days.2
    AND (day < first_day OR day >= end_day)
    -- what the table's key and its index of starts know
    AND submit_time < {until:DateTime64(6, 'UTC')}
    AND (started >= {since:DateTime64(6, 'UTC')} AND started < first_day OR started >= end_day OR started IS NULL);

-- A build counts once it is there as a whole; a day of which every row was taken back has no totals.
CREATE MATERIALIZED VIEW days_of_totals_build REFRESH EVERY 5 MINUTE DEPENDS ON run_totals_build, finding_totals_build, job_totals_build
APPEND TO days_of_totals AS
SELECT 'runs' AS table, day, max(built) AS built_at
FROM
(
    SELECT day, built_at AS built
    FROM run_totals_versions
    WHERE day IN (SELECT day FROM days_to_total WHERE table = 'runs')
    GROUP BY day, built
    HAVING count() = max(day_rows)
)
GROUP BY day
UNION ALL
SELECT table, day, now64(6, 'UTC') AS built_at
FROM days_to_total
WHERE table = 'runs' AND day NOT IN (
    SELECT day FROM run_measures WHERE day IN (SELECT day FROM days_to_total WHERE table = 'runs')
)
UNION ALL
SELECT 'findings' AS table, day, max(built) AS built_at
FROM
(
    SELECT day, built_at AS built
    FROM finding_totals_versions
    WHERE day IN (SELECT day FROM days_to_total WHERE table = 'findings')
    GROUP BY day, built
    HAVING count() = max(day_rows)
)
GROUP BY day
UNION ALL
SELECT table, day, now64(6, 'UTC') AS built_at
FROM days_to_total
WHERE table = 'findings' AND day NOT IN (
    SELECT day FROM finding_measures WHERE day IN (SELECT day FROM days_to_total WHERE table = 'findings')
)
UNION ALL
SELECT 'job_results' AS table, day, max(built) AS built_at
FROM
(
    SELECT submit_day AS day, built_at AS built
    FROM job_totals_versions
    WHERE submit_day IN (SELECT day FROM days_to_total WHERE table = 'job_results')
    GROUP BY day, built
    HAVING count() = max(day_rows)
)
GROUP BY day
UNION ALL
SELECT table, day, now64(6, 'UTC') AS built_at
FROM days_to_total
WHERE table = 'job_results' AND day NOT IN (
    SELECT submit_day FROM job_measures WHERE submit_day IN (SELECT day FROM days_to_total WHERE table = 'job_results')
);
