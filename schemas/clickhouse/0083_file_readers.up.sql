-- Which programs read a file, added up by hour: so who read a library within a month is found without the records of each log, even
-- if nearly all programs read it. One build of an hour works out the files of users and these.

DROP TABLE hours_of_totals_build;

DROP TABLE user_file_totals_build;

DROP VIEW file_records_to_total;

CREATE TABLE file_reader_totals_versions
(
    file UInt64 COMMENT 'sipHash64 of its path' CODEC(Delta, ZSTD),
    hour DateTime64(6, 'UTC') COMMENT 'of the start of the runs' CODEC(Delta, ZSTD),
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    program LowCardinality(String) COMMENT 'base name of the executable, as in runs',
    user LowCardinality(String) COMMENT 'whose job the runs are of; empty where it is not known',
    runs UInt32 COMMENT 'that read the file' CODEC(ZSTD),
    runs_with_all_processes UInt32 COMMENT 'of them, those whose processes all opened it' CODEC(ZSTD),
    bytes_read Int64 COMMENT 'of the file through POSIX and STDIO' CODEC(ZSTD),
    last_start DateTime64(6, 'UTC') COMMENT 'of the last run that read it' CODEC(Delta, ZSTD),
    records UInt32 COMMENT 'file records that were added up; a build without all records of its hour was cut off, and is never read' CODEC(ZSTD),
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out; the newest of an hour count' CODEC(Delta, ZSTD)
)
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYYYYMM(hour)
ORDER BY (file, hour, cluster, program, user)
TTL toDateTime(hour) + INTERVAL 1 YEAR
SETTINGS index_granularity = 1024;

ALTER TABLE file_reader_totals_versions MODIFY COMMENT 'Programs that read a file in an hour, as often as they were worked out: ask file_reader_totals.';

CREATE VIEW file_records_to_total AS
SELECT cluster, user, program, toStartOfHour(start_time) AS hour, start_time, log_id, name, rank, bytes_read, bytes_written, extent_bytes
FROM
(
    SELECT cluster, start_time, log_id, name, rank, bytes_read, bytes_written, extent_bytes
    FROM file_records
    WHERE toStartOfHour(start_time) IN (SELECT toDateTime(hour) FROM hours_to_total)
) AS record
INNER JOIN
(
    SELECT cluster, start_time, log_id, ifNull(runs.user, '') AS user, program
    FROM runs
    WHERE toStartOfHour(start_time) IN (SELECT toDateTime(hour) FROM hours_to_total)
) AS run USING (cluster, start_time, log_id);

-- What is worked out of an hour. The two views below keep it, each in a table that is sorted by what is asked of it.
CREATE TABLE file_totals_built
(
    cluster LowCardinality(String) COMMENT 'as in user_file_totals_versions',
    user LowCardinality(String) COMMENT 'as in file_reader_totals_versions',
    hour DateTime64(6, 'UTC') COMMENT 'of the start of the runs',
    name String COMMENT 'path, escaped text',
    logs Array(UInt64) COMMENT 'as in user_file_totals_versions',
    logs_that_wrote UInt32 COMMENT 'as in user_file_totals_versions',
    bytes_read Int64 COMMENT 'as in user_file_totals_versions',
    bytes_written Int64 COMMENT 'as in user_file_totals_versions',
    extent_bytes Int64 COMMENT 'as in user_file_totals_versions',
    readings Array(Tuple(program String, log UInt64, by_all Bool, bytes Int64, start_time DateTime64(6, 'UTC')))
        COMMENT 'each file record of which bytes were read',
    records UInt32 COMMENT 'file records that were added up',
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out'
)
ENGINE = Null;

CREATE MATERIALIZED VIEW user_file_totals_landed TO user_file_totals_versions AS
SELECT cluster, user, hour, name, logs, logs_that_wrote, bytes_read, bytes_written, extent_bytes, records, built_at
FROM file_totals_built
WHERE user != '';

-- All readings of a file by a user are in one row, so that no group is cut in two by the blocks in which rows come.
CREATE MATERIALIZED VIEW file_reader_totals_landed TO file_reader_totals_versions AS
SELECT
    sipHash64(name) AS file,
    hour,
    cluster,
    reading.program AS program,
    user,
    uniqExact(reading.log) AS runs,
    uniqExactIf(reading.log, reading.by_all) AS runs_with_all_processes,
    sum(reading.bytes) AS bytes_read,
    max(reading.start_time) AS last_start,
    count() AS records,
    built_at
FROM file_totals_built
ARRAY JOIN readings AS reading
GROUP BY cluster, user, hour, name, program, built_at;

CREATE MATERIALIZED VIEW file_totals_build REFRESH EVERY 5 MINUTE APPEND TO file_totals_built AS
SELECT
    each.cluster AS cluster,
    each.user AS user,
    each.hour AS hour,
    each.name AS name,
    arrayDistinct(groupArray(sipHash64(each.log_id))) AS logs,
    length(arrayDistinct(groupArrayIf(sipHash64(each.log_id), each.bytes_written > 0))) AS logs_that_wrote,
    ifNull(sum(each.bytes_read), 0) AS bytes_read,
    ifNull(sum(each.bytes_written), 0) AS bytes_written,
    ifNull(max(each.extent_bytes), 0) AS extent_bytes,
    groupArrayIf
    (
        (each.program, sipHash64(each.log_id), each.rank = -1, assumeNotNull(each.bytes_read), each.start_time),
        each.bytes_read > 0
    ) AS readings,
    count() AS records,
    now64(6, 'UTC') AS built_at
FROM file_records_to_total AS each
GROUP BY cluster, user, hour, name
-- four million files take several GB, and less than one with what is beyond this on disk
SETTINGS max_bytes_before_external_group_by = 500000000;

-- A build counts once user_file_totals_versions and file_reader_totals_versions both have all records of its hour that belong in
-- them; an hour without records has none to build.
CREATE MATERIALIZED VIEW hours_of_totals_build REFRESH EVERY 5 MINUTE DEPENDS ON file_totals_build APPEND TO hours_of_totals AS
SELECT hour, max(built) AS built_at
FROM
(
    SELECT hour, built, sum(of_users) AS added_of_users, sum(that_read) AS added_that_read
    FROM
    (
        SELECT hour, built_at AS built, records AS of_users, 0 AS that_read
        FROM user_file_totals_versions
        WHERE hour IN (SELECT hour FROM hours_to_total)
        UNION ALL
        SELECT hour, built_at AS built, 0 AS of_users, records AS that_read
        FROM file_reader_totals_versions
        WHERE hour IN (SELECT hour FROM hours_to_total)
        UNION ALL
        SELECT hour, now64(6, 'UTC') AS built, 0 AS of_users, 0 AS that_read FROM hours_to_total
    )
    GROUP BY hour, built
) AS build
LEFT JOIN
(
    SELECT hour, countIf(user != '') AS of_users, countIf(bytes_read > 0) AS that_read
    FROM file_records_to_total
    GROUP BY hour
) AS there USING (hour)
WHERE added_of_users = there.of_users AND added_that_read = there.that_read
GROUP BY hour;

CREATE VIEW file_reader_totals AS
WITH
    toStartOfHour(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 HOUR - INTERVAL 1 MICROSECOND) AS first_hour,
    toStartOfHour(least({until:DateTime64(6, 'UTC')}, toDateTime64('2106-01-01', 6, 'UTC'))) AS end_hour,
    -- one value, so that it is looked up once: the hours whose totals count, with their builds, and the other hours
    (
        SELECT (groupArrayIf((hour, built_at), is_current), groupArrayIf(toDateTime(hour), NOT is_current))
        FROM hours_with_totals
        WHERE hour >= first_hour AND hour < end_hour
    ) AS hours,
    readers AS
    (
        SELECT cluster, start_time, log_id, ifNull(sum(bytes_read), 0) AS bytes, min(rank) = -1 AS by_all
        FROM file_records
        WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
            AND name = {file:String} AND bytes_read > 0
            -- the records are sorted by time
            AND start_time IN
            (
                SELECT time
                FROM times_of_files
                WHERE file = sipHash64({file:String})
                    AND time >= {since:DateTime64(6, 'UTC')} AND time < {until:DateTime64(6, 'UTC')}
                    AND (time < first_hour OR time >= end_hour OR toStartOfHour(time) IN hours.2)
            )
        GROUP BY cluster, start_time, log_id
    )
SELECT
    cluster,
    file,
    hour AS time,
    program,
    user,
    runs,
    runs_with_all_processes,
    bytes_read,
    last_start
FROM file_reader_totals_versions
WHERE file = sipHash64({file:String}) AND hour >= first_hour AND hour < end_hour AND (hour, built_at) IN hours.1
UNION ALL
SELECT
    cluster,
    sipHash64({file:String}) AS file,
    start_time AS time,
    program,
    user,
    1 AS runs,
    by_all AS runs_with_all_processes,
    bytes AS bytes_read,
    start_time AS last_start
FROM
(
    SELECT cluster, start_time, log_id, program, ifNull(runs.user, '') AS user
    FROM runs
    WHERE (cluster, start_time, log_id) IN (SELECT cluster, start_time, log_id FROM readers)
) AS known
INNER JOIN readers USING (cluster, start_time, log_id);

ALTER TABLE file_reader_totals MODIFY COMMENT 'A program of a user that read the file that is asked for, in a run or in all its runs of an hour: no run is in two rows.';

ALTER TABLE hours_of_totals MODIFY COMMENT 'An hour of user_file_totals and file_reader_totals, in parts: hours_with_totals adds them up.';

ALTER TABLE hours_with_totals MODIFY COMMENT 'An hour of user_file_totals and file_reader_totals, and whether its totals are read.';

-- Hours are to be built anew, but for those whose records have gone already: their totals of users are all that is left.
INSERT INTO hours_of_totals (hour, landed_at)
SELECT DISTINCT toStartOfHour(start_time) AS hour, now64(6, 'UTC') AS landed_at
FROM
(
    SELECT start_time FROM posix_records_versions
    UNION ALL
    SELECT start_time FROM stdio_records_versions WHERE start_time >= (SELECT min(start_time) FROM posix_records_versions)
);
