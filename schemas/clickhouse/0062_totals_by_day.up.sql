-- Totals of runs, jobs and findings by day, so that a question about a year does not read each of its runs. A day's totals
-- are worked out anew from the rows once nothing of the day has landed for ten minutes, and are read while that is so: a
-- question takes the rows themselves of a day that something landed of since, so that its answer is that of the rows at any
-- time. What is added up stands once, in the views *_measures: the totals are sums over them.

-- When something last landed of a day, and when its totals were last worked out. Views that follow inserts are right for
-- that: however often a row comes, the newest time is the newest time.
CREATE TABLE days_of_totals
(
    table LowCardinality(String) COMMENT 'runs, findings or job_results',
    day Date COMMENT 'of the start of runs, of the submission of jobs; in UTC',
    landed_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) COMMENT 'when a row of the day was last written',
    built_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) COMMENT 'when its totals were last worked out; 1970 where they never were'
)
ENGINE = AggregatingMergeTree
ORDER BY (table, day);

CREATE MATERIALIZED VIEW runs_landed TO days_of_totals AS
SELECT 'runs' AS table, toDate(start_time) AS day, now64(6, 'UTC') AS landed_at
FROM runs_versions
GROUP BY day;

CREATE MATERIALIZED VIEW findings_landed TO days_of_totals AS
SELECT 'findings' AS table, toDate(start_time) AS day, now64(6, 'UTC') AS landed_at
FROM findings_versions
GROUP BY day;

CREATE MATERIALIZED VIEW job_results_landed TO days_of_totals AS
SELECT 'job_results' AS table, toDate(submit_time) AS day, now64(6, 'UTC') AS landed_at
FROM job_results_versions
GROUP BY day;

INSERT INTO days_of_totals (table, day, landed_at)
SELECT 'runs' AS table, toDate(start_time) AS day, now64(6, 'UTC') FROM runs_versions GROUP BY day;

INSERT INTO days_of_totals (table, day, landed_at)
SELECT 'findings' AS table, toDate(start_time) AS day, now64(6, 'UTC') FROM findings_versions GROUP BY day;

INSERT INTO days_of_totals (table, day, landed_at)
SELECT 'job_results' AS table, toDate(submit_time) AS day, now64(6, 'UTC') FROM job_results_versions GROUP BY day;

-- The newest totals of a day count while nothing landed since, nor in the ten minutes before: a row counts as landed shortly
-- before it can be read.
CREATE VIEW days_with_totals AS
SELECT
    table,
    day,
    max(days_of_totals.landed_at) AS landed_at,
    max(days_of_totals.built_at) AS built_at,
    built_at > landed_at + INTERVAL 10 MINUTE AS is_current
FROM days_of_totals
GROUP BY table, day;

-- Ten days of a table at a time, the newest first, so that a year that is filled in does not take all memory at once. Of
-- yesterday and today too much comes still.
CREATE VIEW days_to_total AS
SELECT table, day
FROM days_with_totals
WHERE NOT is_current AND landed_at < now64(6) - INTERVAL 10 MINUTE AND day < today() - 1
ORDER BY day DESC
LIMIT 10 BY table;

CREATE VIEW run_measures AS
SELECT
    start_time,
    toDate(start_time) AS day,
    cluster,
    ifNull(runs.user, '(unknown)') AS user,
    ifNull(runs.account, '(unknown)') AS account,
    ifNull(runs.filesystem, '(none)') AS filesystem,
    program,
    job_join,
    runs.verdict AS verdict,
    ifNull(slow, 0) AS is_slow,
    nprocs > 1 AS is_parallel,
    toUInt64(1) AS runs,
    ifNull(runs.bytes_read, 0) AS bytes_read,
    ifNull(runs.bytes_written, 0) AS bytes_written,
    ifNull(runs.io_time_seconds, 0) AS io_time_seconds,
    if(runs.run_time_seconds > 0, io_time_seconds, 0) AS timed_io_seconds,
    ifNull(runs.run_time_seconds, 0) AS run_time_seconds,
    ifNull(run_nodes * runs.run_time_seconds / 3600, 0) AS node_hours,
    if(nodes IS NULL OR runs.io_time_seconds IS NULL, 0, ifNull(application_bytes, 0)) AS rated_bytes,
    if(application_bytes IS NULL, 0, ifNull(nodes * runs.io_time_seconds, 0)) AS rated_node_seconds,
    ifNull(runs.node_hours_lost, 0) AS node_hours_lost,
    if(runs.node_hours_lost IS NULL, 0, node_hours) AS judged_node_hours,
    -- POSIX, MPI-IO, STDIO, HDF5, PnetCDF, DAOS; what Darshan adds about the same accesses is no interface
    [
        toUInt64(has(modules, 'POSIX')),
        toUInt64(has(modules, 'MPI-IO')),
        toUInt64(has(modules, 'STDIO')),
        toUInt64(hasAny(modules, ['H5F', 'H5D'])),
        toUInt64(hasAny(modules, ['PNETCDF_FILE', 'PNETCDF_VAR'])),
        toUInt64(hasAny(modules, ['DFS', 'DAOS']))
    ] AS interface_runs,
    arrayMap(used -> used * (bytes_read + bytes_written), interface_runs) AS interface_bytes,
    arrayMap(used -> used * node_hours, interface_runs) AS interface_node_hours,
    ifNull(runs.data_files, 0) AS data_files,
    ifNull(data_files * mean_data_file_bytes, 0) AS data_file_bytes,
    if(mean_data_file_bytes IS NULL, 0, data_files) AS sized_files,
    -- by the mean size of the run's files: from 0, 4 KiB, 64 KiB, 1 MiB, 16 MiB, 256 MiB, 4 GiB, 64 GiB
    arrayMap(
        bytes -> if(roundDown(ifNull(mean_data_file_bytes, 0), [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]) = bytes, data_files, 0),
        [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]
    ) AS files_by_size,
    ifNull(runs.unique_files, 0) AS unique_files,
    ifNull(runs.partial_files, 0) AS partial_files,
    ifNull(runs.shared_files, 0) AS shared_files,
    ifNull(runs.unique_file_bytes, 0) AS unique_file_bytes,
    ifNull(runs.partial_file_bytes, 0) AS partial_file_bytes,
    ifNull(runs.shared_file_bytes, 0) AS shared_file_bytes,
    ifNull(runs.reread_bytes, 0) AS reread_bytes,
    -- in Darshan's bins: from 0 B, 100 B, 1 KiB, 10 KiB, 100 KiB, 1 MiB, 4 MiB, 10 MiB, 100 MiB, 1 GiB
    [
        ifNull(posix_size_read_0_100, 0), ifNull(posix_size_read_100_1k, 0), ifNull(posix_size_read_1k_10k, 0),
        ifNull(posix_size_read_10k_100k, 0), ifNull(posix_size_read_100k_1m, 0), ifNull(posix_size_read_1m_4m, 0),
        ifNull(posix_size_read_4m_10m, 0), ifNull(posix_size_read_10m_100m, 0), ifNull(posix_size_read_100m_1g, 0),
        ifNull(posix_size_read_1g_plus, 0)
    ] AS reads_by_size,
    [
        ifNull(posix_size_write_0_100, 0), ifNull(posix_size_write_100_1k, 0), ifNull(posix_size_write_1k_10k, 0),
        ifNull(posix_size_write_10k_100k, 0), ifNull(posix_size_write_100k_1m, 0), ifNull(posix_size_write_1m_4m, 0),
        ifNull(posix_size_write_4m_10m, 0), ifNull(posix_size_write_10m_100m, 0), ifNull(posix_size_write_100m_1g, 0),
        ifNull(posix_size_write_1g_plus, 0)
    ] AS writes_by_size
FROM runs;

CREATE TABLE run_totals_versions
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    day Date COMMENT 'of the start, in UTC',
    user LowCardinality(String) COMMENT '(unknown) where no job is known',
    account LowCardinality(String) COMMENT 'the project; (unknown) where no job is known',
    filesystem LowCardinality(String) COMMENT 'with most of a run''s bytes; (none) of none of the site',
    program LowCardinality(String) COMMENT 'as in runs',
    job_join LowCardinality(String) COMMENT 'as in runs',
    verdict LowCardinality(String) COMMENT 'as in runs',
    is_slow UInt8 COMMENT '1 for slow runs',
    is_parallel UInt8 COMMENT '1 for runs of several processes',
    runs UInt64 COMMENT 'runs',
    bytes_read Int64 COMMENT 'as in runs, unknown ones as 0',
    bytes_written Int64 COMMENT 'as in runs, unknown ones as 0',
    io_time_seconds Float64 COMMENT 'sum over the runs, unknown ones as 0',
    timed_io_seconds Float64 COMMENT 'io_time_seconds of the runs whose run time is known',
    run_time_seconds Float64 COMMENT 'sum over the runs whose run time is known',
    node_hours Float64 COMMENT 'run nodes times run time',
    rated_bytes Float64 COMMENT 'application_bytes of the runs of which rated_node_seconds are known',
    rated_node_seconds Float64 COMMENT 'nodes times I/O time; rated_bytes over it is the rate of a node',
    node_hours_lost Float64 COMMENT 'as in runs, unknown ones as 0',
    judged_node_hours Float64 COMMENT 'node_hours of the runs whose loss is known',
    interface_runs Array(UInt64) COMMENT 'runs that used POSIX, MPI-IO, STDIO, HDF5, PnetCDF, DAOS',
    interface_bytes Array(Int64) COMMENT 'bytes read and written by these runs, in all: layers of a run count each',
    interface_node_hours Array(Float64) COMMENT 'node_hours of these runs',
    data_files Float64 COMMENT 'files that bytes were moved of',
    data_file_bytes Float64 COMMENT 'extents of the files whose mean extent is known',
    sized_files Float64 COMMENT 'files whose mean extent is known',
    files_by_size Array(Float64) COMMENT 'data_files by their runs'' mean extent: from 0, 4 KiB, 64 KiB, 1 MiB, 16 MiB, 256 MiB, 4 GiB, 64 GiB',
    unique_files Float64 COMMENT 'as in runs',
    partial_files Float64 COMMENT 'as in runs',
    shared_files Float64 COMMENT 'as in runs',
    unique_file_bytes Float64 COMMENT 'as in runs',
    partial_file_bytes Float64 COMMENT 'as in runs',
    shared_file_bytes Float64 COMMENT 'as in runs',
    reread_bytes Float64 COMMENT 'as in runs',
    reads_by_size Array(Float64) COMMENT 'POSIX reads from 0 B, 100 B, 1 KiB, 10 KiB, 100 KiB, 1 MiB, 4 MiB, 10 MiB, 100 MiB, 1 GiB',
    writes_by_size Array(Float64) COMMENT 'POSIX writes, likewise',
    day_rows UInt64 COMMENT 'rows of the day''s totals: those of a build that was cut off are never read',
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out; the newest of a day count'
)
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYear(day)
ORDER BY (cluster, day, user, account, filesystem, program, job_join, verdict, is_slow, is_parallel);

CREATE MATERIALIZED VIEW run_totals_build REFRESH EVERY 5 MINUTE APPEND TO run_totals_versions AS
SELECT
    each.cluster AS cluster,
    each.day AS day,
    each.user AS user,
    each.account AS account,
    each.filesystem AS filesystem,
    each.program AS program,
    each.job_join AS job_join,
    each.verdict AS verdict,
    each.is_slow AS is_slow,
    each.is_parallel AS is_parallel,
    sum(each.runs) AS runs,
    sum(each.bytes_read) AS bytes_read,
    sum(each.bytes_written) AS bytes_written,
    sum(each.io_time_seconds) AS io_time_seconds,
    sum(each.timed_io_seconds) AS timed_io_seconds,
    sum(each.run_time_seconds) AS run_time_seconds,
    sum(each.node_hours) AS node_hours,
    sum(each.rated_bytes) AS rated_bytes,
    sum(each.rated_node_seconds) AS rated_node_seconds,
    sum(each.node_hours_lost) AS node_hours_lost,
    sum(each.judged_node_hours) AS judged_node_hours,
    sumForEach(each.interface_runs) AS interface_runs,
    sumForEach(each.interface_bytes) AS interface_bytes,
    sumForEach(each.interface_node_hours) AS interface_node_hours,
    sum(each.data_files) AS data_files,
    sum(each.data_file_bytes) AS data_file_bytes,
    sum(each.sized_files) AS sized_files,
    sumForEach(each.files_by_size) AS files_by_size,
    sum(each.unique_files) AS unique_files,
    sum(each.partial_files) AS partial_files,
    sum(each.shared_files) AS shared_files,
    sum(each.unique_file_bytes) AS unique_file_bytes,
    sum(each.partial_file_bytes) AS partial_file_bytes,
    sum(each.shared_file_bytes) AS shared_file_bytes,
    sum(each.reread_bytes) AS reread_bytes,
    sumForEach(each.reads_by_size) AS reads_by_size,
    sumForEach(each.writes_by_size) AS writes_by_size,
    count() OVER (PARTITION BY day) AS day_rows,
    now64(6, 'UTC') AS built_at
FROM run_measures AS each
WHERE each.day IN (SELECT day FROM days_to_total WHERE table = 'runs')
GROUP BY cluster, day, user, account, filesystem, program, job_join, verdict, is_slow, is_parallel;

-- The runs of a range, of which the days that lie in it as a whole are added up. `time` is a run's start or such a day's begin.
-- The runs of a range, of which the days that lie in it as a whole are added up. `time` is a run's start or the begin of such
-- a day.
CREATE VIEW run_totals AS
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

CREATE VIEW finding_measures AS
SELECT
    start_time,
    toDate(start_time) AS day,
    cluster,
    ifNull(findings.user, '(unknown)') AS user,
    ifNull(findings.account, '(unknown)') AS account,
    ifNull(findings.filesystem, '(none)') AS filesystem,
    program,
    rule_id,
    title,
    severity,
    toUInt64(1) AS findings,
    ifNull(findings.node_hours_lost, 0) AS node_hours_lost
FROM findings;

CREATE TABLE finding_totals_versions
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    day Date COMMENT 'of the start of the run or the submission of the job, in UTC',
    user LowCardinality(String) COMMENT '(unknown) where no job is known',
    account LowCardinality(String) COMMENT 'the project; (unknown) where no job is known',
    filesystem LowCardinality(String) COMMENT 'with most of a run''s bytes; (none) of none of the site',
    program LowCardinality(String) COMMENT 'as in runs',
    rule_id LowCardinality(String) COMMENT 'the rule that held',
    title LowCardinality(String) COMMENT 'of the rule',
    severity LowCardinality(String) COMMENT 'info, notice, warning or critical',
    findings UInt64 COMMENT 'findings',
    node_hours_lost Float64 COMMENT 'of their runs, unknown ones as 0; several findings share it, so it does not add up',
    day_rows UInt64 COMMENT 'rows of the day''s totals: those of a build that was cut off are never read',
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out; the newest of a day count'
)
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYear(day)
ORDER BY (cluster, day, user, account, filesystem, program, rule_id, title, severity);

CREATE MATERIALIZED VIEW finding_totals_build REFRESH EVERY 5 MINUTE APPEND TO finding_totals_versions AS
SELECT
    each.cluster AS cluster,
    each.day AS day,
    each.user AS user,
    each.account AS account,
    each.filesystem AS filesystem,
    each.program AS program,
    each.rule_id AS rule_id,
    each.title AS title,
    each.severity AS severity,
    sum(each.findings) AS findings,
    sum(each.node_hours_lost) AS node_hours_lost,
    count() OVER (PARTITION BY day) AS day_rows,
    now64(6, 'UTC') AS built_at
FROM finding_measures AS each
WHERE each.day IN (SELECT day FROM days_to_total WHERE table = 'findings')
GROUP BY cluster, day, user, account, filesystem, program, rule_id, title, severity;

CREATE VIEW finding_totals AS
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

CREATE VIEW job_measures AS
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
    toUInt64(1) AS jobs,
    ifNull(job_results.node_hours, 0) AS node_hours,
    ifNull(job_results.node_hours_lost, 0) AS node_hours_lost,
    ifNull(job_results.bytes_read, 0) AS bytes_read,
    ifNull(job_results.bytes_written, 0) AS bytes_written
FROM job_results;

CREATE TABLE job_totals_versions
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    submit_day Date COMMENT 'of the submission, in UTC: it never changes',
    day Date COMMENT 'of the start, or of the submission of jobs that have not started, in UTC',
    user LowCardinality(String) COMMENT '(unknown) where no job is known',
    account LowCardinality(String) COMMENT 'the project; (unknown) where no job is known',
    coverage LowCardinality(String) COMMENT 'as in job_results',
    jobs UInt64 COMMENT 'jobs',
    node_hours Float64 COMMENT 'allocated nodes times run time',
    node_hours_lost Float64 COMMENT 'as in job_results, unknown ones as 0',
    bytes_read Int64 COMMENT 'by their runs',
    bytes_written Int64 COMMENT 'by their runs',
    day_rows UInt64 COMMENT 'rows of the day''s totals: those of a build that was cut off are never read',
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out; the newest of a day count'
)
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYear(submit_day)
ORDER BY (cluster, submit_day, day, user, account, coverage);

CREATE MATERIALIZED VIEW job_totals_build REFRESH EVERY 5 MINUTE APPEND TO job_totals_versions AS
SELECT
    each.cluster AS cluster,
    each.submit_day AS submit_day,
    each.day AS day,
    each.user AS user,
    each.account AS account,
    each.coverage AS coverage,
    sum(each.jobs) AS jobs,
    sum(each.node_hours) AS node_hours,
    sum(each.node_hours_lost) AS node_hours_lost,
    sum(each.bytes_read) AS bytes_read,
    sum(each.bytes_written) AS bytes_written,
    count() OVER (PARTITION BY submit_day) AS day_rows,
    now64(6, 'UTC') AS built_at
FROM job_measures AS each
WHERE each.submit_day IN (SELECT day FROM days_to_total WHERE table = 'job_results')
GROUP BY cluster, submit_day, day, user, account, coverage;

CREATE VIEW job_totals AS
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
    cluster, user, account, coverage, jobs, node_hours, node_hours_lost, bytes_read, bytes_written
FROM job_totals_versions
WHERE day >= first_day AND day < end_day AND (submit_day, built_at) IN days.1
UNION ALL
SELECT
    start_time AS time,
    cluster, user, account, coverage, jobs, node_hours, node_hours_lost, bytes_read, bytes_written
FROM job_measures
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')} AND submit_day IN days.2
    -- what the index of starts knows
    AND (started >= {since:DateTime64(6, 'UTC')} OR started IS NULL)
UNION ALL
SELECT
    start_time AS time,
    cluster, user, account, coverage, jobs, node_hours, node_hours_lost, bytes_read, bytes_written
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
