-- Totals of how runs do their I/O, by day: what saved questions ask of a year. They are worked out and read as the totals of
-- 0062, beside which they stand, as dashboards that ask for those need none of these keys.
INSERT INTO days_of_totals (table, day, landed_at)
SELECT 'run_io' AS table, toDate(start_time) AS day, now64(6, 'UTC') FROM runs_versions GROUP BY day;

CREATE MATERIALIZED VIEW run_io_landed TO days_of_totals AS
SELECT 'run_io' AS table, toDate(start_time) AS day, now64(6, 'UTC') AS landed_at
FROM runs_versions
GROUP BY day;

CREATE VIEW run_io_measures AS
SELECT
    start_time,
    toDate(start_time) AS day,
    cluster,
    ifNull(runs.user, '(unknown)') AS user,
    ifNull(runs.account, '(unknown)') AS account,
    ifNull(runs.filesystem, '(none)') AS filesystem,
    program,
    log_state,
    nprocs > 1 AS is_parallel,
    toUInt64(exp10(length(toString(nprocs)) - 1)) AS processes_from,
    arrayFirst(trait -> trait IN ('N:N', 'N:M', 'N:1', 'no_files'), traits) AS sharing,
    arrayStringConcat(arraySort(arrayDistinct(runs.modules)), ' ') AS modules,
    nprocs AS fewest_processes,
    nprocs AS most_processes,
    if(runs.files IS NULL OR runs.opens IS NULL, 0, nprocs) AS counted_processes,
    toUInt64(1) AS runs,
    ifNull(run_nodes * run_time_seconds / 3600, 0) AS node_hours,
    ifNull(runs.bytes_moved, 0) AS bytes_moved,
    ifNull(runs.io_time_seconds, 0) AS io_time_seconds,
    if(nodes IS NULL OR runs.io_time_seconds IS NULL, 0, ifNull(application_bytes, 0)) AS rated_bytes,
    if(application_bytes IS NULL, 0, ifNull(nodes * runs.io_time_seconds, 0)) AS rated_node_seconds,
    ifNull(runs.metadata_seconds, 0) AS metadata_seconds,
    ifNull(runs.read_seconds, 0) AS read_seconds,
    ifNull(runs.write_seconds, 0) AS write_seconds,
    ifNull(runs.opens, 0) AS opens,
    ifNull(runs.stats, 0) AS stats,
    if(runs.files IS NULL, 0, opens) AS counted_opens,
    if(runs.opens IS NULL, 0, ifNull(runs.files, 0)) AS counted_files,
    -- by how many files a run has: from 0, 1, 10, 100, 1,000, 10,000, 100,000, 1,000,000
    arrayMap(
        digits -> toUInt64(ifNull(if(runs.files = 0, 0, least(length(toString(runs.files)), 7)) = digits, 0)), range(8)
    ) AS runs_by_files,
    arrayMap(counted -> counted * ifNull(runs.files, 0), runs_by_files) AS files_by_files,
    -- by the mean size of the run's files: from 0, 4 KiB, 64 KiB, 1 MiB, 16 MiB, 256 MiB, 4 GiB, 64 GiB
    arrayMap(
        bytes -> toUInt64(
            ifNull(data_files, 0) > 0
            AND roundDown(
                ifNull(mean_data_file_bytes, 0), [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]
            ) = bytes
        ),
        [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]
    ) AS runs_by_size,
    arrayMap(counted -> counted * ifNull(data_files, 0), runs_by_size) AS files_by_size,
    arrayMap(counted -> counted * ifNull(data_files * mean_data_file_bytes, 0), runs_by_size) AS file_bytes_by_size,
    [
        toUInt64(ifNull(unique_files, 0) > 0), toUInt64(ifNull(partial_files, 0) > 0), toUInt64(ifNull(shared_files, 0) > 0)
    ] AS runs_by_opening,
    [ifNull(unique_files, 0), ifNull(partial_files, 0), ifNull(shared_files, 0)] AS files_by_opening,
    [ifNull(unique_file_bytes, 0), ifNull(partial_file_bytes, 0), ifNull(shared_file_bytes, 0)] AS file_bytes_by_opening,
    ifNull(reads, 0) + ifNull(writes, 0) AS requests,
    ifNull(small_reads, 0) + ifNull(small_writes, 0) AS small_requests,
    [
        toFloat64(ifNull(reads, 0)), ifNull(consecutive_reads, 0), ifNull(sequential_reads, 0), ifNull(random_reads, 0),
        ifNull(random_reads_upper, 0)
    ] AS reads_in_order,
    [
        toFloat64(ifNull(writes, 0)), ifNull(consecutive_writes, 0), ifNull(sequential_writes, 0), ifNull(random_writes, 0),
        ifNull(random_writes_upper, 0)
    ] AS writes_in_order,
    -- what an older run does not say of a file system counts as 0
    mapFromArrays(CAST(filesystems AS Array(String)), arrayMap(name -> toUInt64(1), filesystems)) AS runs_by_filesystem,
    mapFromArrays(
        CAST(filesystems AS Array(String)),
        arrayMap(
            (reads, writes) -> ifNull(reads, 0) + ifNull(writes, 0),
            arrayResize(filesystem_reads, length(filesystems)),
            arrayResize(filesystem_writes, length(filesystems))
        )
    ) AS requests_by_filesystem,
    mapFromArrays(
        CAST(filesystems AS Array(String)),
        arrayMap(count -> ifNull(count, 0), arrayResize(filesystem_surely_unaligned_requests, length(filesystems)))
    ) AS unaligned_by_filesystem,
    mapFromArrays(
        CAST(filesystems AS Array(String)),
        arrayMap(bytes -> ifNull(bytes, 0), arrayResize(filesystem_file_alignment_bytes, length(filesystems)))
    ) AS alignment_by_filesystem,
    ifNull(mpiio_coll_reads, 0) + ifNull(mpiio_coll_writes, 0)
        + ifNull(mpiio_split_reads, 0) + ifNull(mpiio_split_writes, 0) AS collective_operations,
    ifNull(mpiio_indep_reads, 0) + ifNull(mpiio_indep_writes, 0)
        + ifNull(mpiio_nb_reads, 0) + ifNull(mpiio_nb_writes, 0) AS independent_operations,
    ifNull(runs.io_time_mpiio_seconds, 0) AS io_time_mpiio_seconds,
    ifNull(runs.collective_overhead_seconds, 0) AS collective_overhead_seconds,
    ifNull(runs.site_bytes, 0) AS site_bytes,
    ifNull(runs.slow_filesystem_bytes, 0) AS slow_filesystem_bytes,
    if(runs.slow_filesystem_bytes IS NULL, 0, bytes_moved) AS placed_bytes
FROM runs;

CREATE TABLE run_io_totals_versions
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    day Date COMMENT 'of the start, in UTC',
    user LowCardinality(String) COMMENT '(unknown) where no job is known',
    account LowCardinality(String) COMMENT 'the project; (unknown) where no job is known',
    filesystem LowCardinality(String) COMMENT 'with most of a run''s bytes; (none) of none of the site',
    program LowCardinality(String) COMMENT 'as in runs',
    log_state LowCardinality(String) COMMENT 'as in runs',
    is_parallel UInt8 COMMENT '1 for runs of several processes',
    processes_from UInt64 COMMENT 'processes of the run, rounded down to a power of ten',
    sharing LowCardinality(String) COMMENT 'how files are opened, of the run''s traits: N:N, N:M, N:1 or no_files; empty where neither is said',
    modules LowCardinality(String) COMMENT 'Darshan''s modules that recorded something, a space between',
    fewest_processes Int64 COMMENT 'of a run',
    most_processes Int64 COMMENT 'of a run',
    counted_processes Int64 COMMENT 'processes of the runs whose files and opens are known',
    runs UInt64 COMMENT 'runs',
    node_hours Float64 COMMENT 'run nodes times run time',
    bytes_moved Float64 COMMENT 'as in runs, unknown ones as 0',
    io_time_seconds Float64 COMMENT 'as in runs, unknown ones as 0',
    rated_bytes Float64 COMMENT 'application_bytes of the runs of which rated_node_seconds are known',
    rated_node_seconds Float64 COMMENT 'nodes times I/O time; rated_bytes over it is the rate of a node',
    metadata_seconds Float64 COMMENT 'as in runs, unknown ones as 0',
    read_seconds Float64 COMMENT 'as in runs, unknown ones as 0',
    write_seconds Float64 COMMENT 'as in runs, unknown ones as 0',
    opens Int64 COMMENT 'as in runs, unknown ones as 0',
    stats Int64 COMMENT 'as in runs, unknown ones as 0',
    counted_opens Int64 COMMENT 'opens of the runs whose files are known',
    counted_files Int64 COMMENT 'files of the runs whose opens are known',
    runs_by_files Array(UInt64) COMMENT 'runs whose files are known, by these: from 0, 1, 10, 100, 1,000, 10,000, 100,000, 1,000,000',
    files_by_files Array(Int64) COMMENT 'files of these runs, likewise',
    runs_by_size Array(UInt64) COMMENT 'runs with files of data, by these files'' mean extent: from 0, 4 KiB, 64 KiB, 1 MiB, 16 MiB, 256 MiB, 4 GiB, 64 GiB',
    files_by_size Array(Float64) COMMENT 'files of data of these runs, likewise',
    file_bytes_by_size Array(Float64) COMMENT 'their extents, likewise',
    runs_by_opening Array(UInt64) COMMENT 'runs with files that one, some and all processes opened',
    files_by_opening Array(Float64) COMMENT 'these files, likewise',
    file_bytes_by_opening Array(Float64) COMMENT 'bytes of these files, likewise',
    requests Int64 COMMENT 'POSIX reads and writes',
    small_requests Int64 COMMENT 'of these surely below 1 MiB',
    reads_in_order Array(Float64) COMMENT 'POSIX reads; of these consecutive, sequential, and back at least and at most',
    writes_in_order Array(Float64) COMMENT 'POSIX writes, likewise',
    runs_by_filesystem Map(String, UInt64) COMMENT 'runs that used each of the site''s file systems',
    requests_by_filesystem Map(String, Float64) COMMENT 'POSIX reads and writes by file system',
    unaligned_by_filesystem Map(String, Float64) COMMENT 'of these surely unaligned, likewise',
    alignment_by_filesystem Map(String, Float64) COMMENT 'the largest alignment of a file in bytes, likewise',
    collective_operations Float64 COMMENT 'collective MPI-IO reads and writes, split ones too',
    independent_operations Float64 COMMENT 'independent MPI-IO reads and writes, nonblocking ones too',
    io_time_mpiio_seconds Float64 COMMENT 'as in runs, unknown ones as 0',
    collective_overhead_seconds Float64 COMMENT 'as in runs, unknown ones as 0',
    site_bytes Int64 COMMENT 'as in runs, unknown ones as 0',
    slow_filesystem_bytes Float64 COMMENT 'as in runs, unknown ones as 0',
    placed_bytes Float64 COMMENT 'bytes_moved of the runs whose slow_filesystem_bytes are known',
    day_rows UInt64 COMMENT 'rows of the day''s totals: those of a build that was cut off are never read',
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out; the newest of a day count'
)
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYear(day)
ORDER BY (cluster, day, user, account, filesystem, program, log_state, is_parallel, processes_from, sharing, modules);

CREATE MATERIALIZED VIEW run_io_totals_build REFRESH EVERY 5 MINUTE APPEND TO run_io_totals_versions AS
SELECT
    each.cluster AS cluster,
    each.day AS day,
    each.user AS user,
    each.account AS account,
    each.filesystem AS filesystem,
    each.program AS program,
    each.log_state AS log_state,
    each.is_parallel AS is_parallel,
    each.processes_from AS processes_from,
    each.sharing AS sharing,
    each.modules AS modules,
    min(each.fewest_processes) AS fewest_processes,
    max(each.most_processes) AS most_processes,
    sum(each.counted_processes) AS counted_processes,
    sum(each.runs) AS runs,
    sum(each.node_hours) AS node_hours,
    sum(each.bytes_moved) AS bytes_moved,
    sum(each.io_time_seconds) AS io_time_seconds,
    sum(each.rated_bytes) AS rated_bytes,
    sum(each.rated_node_seconds) AS rated_node_seconds,
    sum(each.metadata_seconds) AS metadata_seconds,
    sum(each.read_seconds) AS read_seconds,
    sum(each.write_seconds) AS write_seconds,
    sum(each.opens) AS opens,
    sum(each.stats) AS stats,
    sum(each.counted_opens) AS counted_opens,
    sum(each.counted_files) AS counted_files,
    sumForEach(each.runs_by_files) AS runs_by_files,
    sumForEach(each.files_by_files) AS files_by_files,
    sumForEach(each.runs_by_size) AS runs_by_size,
    sumForEach(each.files_by_size) AS files_by_size,
    sumForEach(each.file_bytes_by_size) AS file_bytes_by_size,
    sumForEach(each.runs_by_opening) AS runs_by_opening,
    sumForEach(each.files_by_opening) AS files_by_opening,
    sumForEach(each.file_bytes_by_opening) AS file_bytes_by_opening,
    sum(each.requests) AS requests,
    sum(each.small_requests) AS small_requests,
    sumForEach(each.reads_in_order) AS reads_in_order,
    sumForEach(each.writes_in_order) AS writes_in_order,
    sumMap(each.runs_by_filesystem) AS runs_by_filesystem,
    sumMap(each.requests_by_filesystem) AS requests_by_filesystem,
    sumMap(each.unaligned_by_filesystem) AS unaligned_by_filesystem,
    maxMap(each.alignment_by_filesystem) AS alignment_by_filesystem,
    sum(each.collective_operations) AS collective_operations,
    sum(each.independent_operations) AS independent_operations,
    sum(each.io_time_mpiio_seconds) AS io_time_mpiio_seconds,
    sum(each.collective_overhead_seconds) AS collective_overhead_seconds,
    sum(each.site_bytes) AS site_bytes,
    sum(each.slow_filesystem_bytes) AS slow_filesystem_bytes,
    sum(each.placed_bytes) AS placed_bytes,
    count() OVER (PARTITION BY day) AS day_rows,
    now64(6, 'UTC') AS built_at
FROM run_io_measures AS each
WHERE each.day IN (SELECT day FROM days_to_total WHERE table = 'run_io')
GROUP BY cluster, day, user, account, filesystem, program, log_state, is_parallel, processes_from, sharing, modules;

CREATE VIEW run_io_totals AS
WITH
    -- the days that lie in the range as a whole
    toDate(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND) AS first_day,
    toDate(least({until:DateTime64(6, 'UTC')}, toDateTime64('2149-01-01', 6, 'UTC'))) AS end_day,
    -- one value, so that it is looked up once: the days whose totals count, with their builds, and the other days
    (
        SELECT (groupArrayIf((day, built_at), is_current), groupArrayIf(day, NOT is_current))
        FROM days_with_totals
        WHERE table = 'run_io' AND day >= first_day AND day < end_day
    ) AS days
SELECT toDateTime64(day, 6, 'UTC') AS time, * EXCEPT (day, day_rows, built_at)
FROM run_io_totals_versions
WHERE day >= first_day AND day < end_day AND (day, built_at) IN days.1
UNION ALL
SELECT start_time AS time, * EXCEPT (start_time, day)
FROM run_io_measures
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND (day < first_day OR day >= end_day OR day IN days.2);

-- A build counts once it is there as a whole; a day of which every row was taken back has no totals.
CREATE MATERIALIZED VIEW days_of_run_io_build REFRESH EVERY 5 MINUTE DEPENDS ON run_io_totals_build APPEND TO days_of_totals AS
SELECT 'run_io' AS table, day, max(built) AS built_at
FROM
(
    SELECT day, built_at AS built
    FROM run_io_totals_versions
    WHERE day IN (SELECT day FROM days_to_total WHERE table = 'run_io')
    GROUP BY day, built
    HAVING count() = max(day_rows)
)
GROUP BY day
UNION ALL
SELECT table, day, now64(6, 'UTC') AS built_at
FROM days_to_total
WHERE table = 'run_io' AND day NOT IN (
    SELECT day FROM run_io_measures WHERE day IN (SELECT day FROM days_to_total WHERE table = 'run_io')
);
