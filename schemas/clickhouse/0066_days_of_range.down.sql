CREATE OR REPLACE VIEW run_totals AS
WITH
    -- the days that lie in the range as a whole
    toDate(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND) AS first_day,
    toDate(least({until:DateTime64(6, 'UTC')}, toDateTime64('2149-01-01', 6, 'UTC'))) AS end_day,
    -- one value, so that it is looked up once: the days whose totals count, with their builds, and the other days
    (
        SELECT (groupArrayIf((day, built_at), is_current), groupArrayIf(day, NOT is_current))
        FROM days_with_totals
        WHERE table = 'runs'
    ) AS days
SELECT
    toDateTime64(day, 6, 'UTC') AS time,
    cluster, user, account, filesystem, program, job_join, verdict, is_slow, is_parallel, runs, bytes_read, bytes_written,
    io_time_seconds, timed_io_seconds, run_time_seconds, node_hours, rated_bytes, rated_node_seconds,
    node_hours_lost, judged_node_hours, interface_runs, interface_bytes, interface_node_hours, data_files,
    data_file_bytes, sized_files, files_by_size, unique_files, partial_files, shared_files, unique_file_bytes,
    partial_file_bytes, shared_file_bytes, reread_bytes, reads_by_size, writes_by_size
FROM run_totals_versions
WHERE day >= first_day AND day < end_day AND (day, built_at) IN days.1
UNION ALL
SELECT
    start_time AS time,
    cluster, user, account, filesystem, program, job_join, verdict, is_slow, is_parallel, runs, bytes_read, bytes_written,
    io_time_seconds, timed_io_seconds, run_time_seconds, node_hours, rated_bytes, rated_node_seconds,
    node_hours_lost, judged_node_hours, interface_runs, interface_bytes, interface_node_hours, data_files,
    data_file_bytes, sized_files, files_by_size, unique_files, partial_files, shared_files, unique_file_bytes,
    partial_file_bytes, shared_file_bytes, reread_bytes, reads_by_size, writes_by_size
FROM run_measures
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND (day < first_day OR day >= end_day OR day IN days.2);

CREATE OR REPLACE VIEW finding_totals AS
WITH
    -- the days that lie in the range as a whole
    toDate(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND) AS first_day,
    toDate(least({until:DateTime64(6, 'UTC')}, toDateTime64('2149-01-01', 6, 'UTC'))) AS end_day,
    -- one value, so that it is looked up once: the days whose totals count, with their builds, and the other days
    (
        SELECT (groupArrayIf((day, built_at), is_current), groupArrayIf(day, NOT is_current))
        FROM days_with_totals
        WHERE table = 'findings'
    ) AS days
SELECT
    toDateTime64(day, 6, 'UTC') AS time,
    cluster, user, account, filesystem, program, rule_id, title, severity, findings, node_hours_lost
FROM finding_totals_versions
WHERE day >= first_day AND day < end_day AND (day, built_at) IN days.1
UNION ALL
SELECT
    start_time AS time,
    cluster, user, account, filesystem, program, rule_id, title, severity, findings, node_hours_lost
FROM finding_measures
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND (day < first_day OR day >= end_day OR day IN days.2);

ALTER TABLE job_totals_versions DROP INDEX IF EXISTS by_day;
