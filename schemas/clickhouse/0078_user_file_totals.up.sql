-- Files of each user by hour, so that what a user's programs read and wrote in a month is found without the records of each of their
-- logs. As totals of days (0062): an hour is worked out from the rows once nothing of it has landed for ten minutes and it is a day
-- old, and its totals are read while that is so; of all other hours the records are read. Totals are by hour, not by day: a day of a
-- large center has thirty million records, and after a late log those of its hour alone are added up again.

-- When something last landed of an hour, and when its totals were last worked out.
CREATE TABLE hours_of_totals
(
    hour DateTime64(6, 'UTC') COMMENT 'of the start of runs',
    landed_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) COMMENT 'when a run or a file record of the hour was last written',
    built_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) COMMENT 'when its totals were last worked out; 1970 where they never were'
)
ENGINE = AggregatingMergeTree
ORDER BY hour;

ALTER TABLE hours_of_totals MODIFY COMMENT 'An hour of user_file_totals, in parts: hours_with_totals adds them up.';

CREATE MATERIALIZED VIEW run_hours_landed TO hours_of_totals AS
SELECT toStartOfHour(start_time) AS hour, now64(6, 'UTC') AS landed_at FROM runs_versions GROUP BY hour;

CREATE MATERIALIZED VIEW posix_hours_landed TO hours_of_totals AS
SELECT toStartOfHour(start_time) AS hour, now64(6, 'UTC') AS landed_at FROM posix_records_versions GROUP BY hour;

CREATE MATERIALIZED VIEW stdio_hours_landed TO hours_of_totals AS
SELECT toStartOfHour(start_time) AS hour, now64(6, 'UTC') AS landed_at FROM stdio_records_versions GROUP BY hour;

INSERT INTO hours_of_totals (hour, landed_at)
SELECT toStartOfHour(start_time) AS hour, now64(6, 'UTC') FROM runs_versions GROUP BY hour;

-- The newest totals of an hour count while nothing landed since, nor in the ten minutes before: a row counts as landed shortly
-- before it can be read.
CREATE VIEW hours_with_totals AS
SELECT
    hour,
    max(hours_of_totals.landed_at) AS landed_at,
    max(hours_of_totals.built_at) AS built_at,
    built_at > landed_at + INTERVAL 10 MINUTE AS is_current
FROM hours_of_totals
GROUP BY hour;

ALTER TABLE hours_with_totals MODIFY COMMENT 'An hour of user_file_totals, and whether its totals are read.';

ALTER TABLE hours_with_totals
    COMMENT COLUMN `hour` 'as in hours_of_totals',
    COMMENT COLUMN landed_at 'when a run or a file record of the hour was last written',
    COMMENT COLUMN built_at 'when its totals were last worked out; 1970 where they never were',
    COMMENT COLUMN is_current '1: nothing landed since, nor in the ten minutes before, so that its totals are read';

-- Some hours at a time, the newest first, so that a history that is filled in does not take all memory at once. Of the newest
-- day's runs logs come still.
CREATE VIEW hours_to_total AS
SELECT hour
FROM hours_with_totals
WHERE NOT is_current AND landed_at < now64(6) - INTERVAL 10 MINUTE AND hour < now() - INTERVAL 25 HOUR
ORDER BY hour DESC
LIMIT 4;

CREATE TABLE user_file_totals_versions
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    user LowCardinality(String) COMMENT 'whose job the runs are of',
    hour DateTime64(6, 'UTC') COMMENT 'of the start of the runs' CODEC(Delta, ZSTD),
    name String COMMENT 'path, escaped text' CODEC(ZSTD),
    logs Array(UInt64) COMMENT 'sipHash64 of the log_id of each run with a record of the file' CODEC(ZSTD),
    logs_that_wrote UInt32 COMMENT 'of them, those that wrote to it' CODEC(ZSTD),
    bytes_read Int64 COMMENT 'of the file through POSIX and STDIO, unknown ones as 0' CODEC(ZSTD),
    bytes_written Int64 COMMENT 'of the file through POSIX and STDIO, unknown ones as 0' CODEC(ZSTD),
    extent_bytes Int64 COMMENT 'last offset read or written + 1; 0 where no bytes were moved' CODEC(ZSTD),
    records UInt32 COMMENT 'file records that were added up; a build without all records of its hour was cut off, and is never read' CODEC(ZSTD),
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out; the newest of an hour count' CODEC(Delta, ZSTD)
)
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYYYYMM(hour)
ORDER BY (cluster, user, hour, name)
TTL toDateTime(hour) + INTERVAL 1 YEAR
SETTINGS index_granularity = 1024;

CREATE VIEW file_records_to_total AS
SELECT cluster, user, toStartOfHour(start_time) AS hour, log_id, name, bytes_read, bytes_written, extent_bytes
FROM
(
    SELECT cluster, start_time, log_id, name, bytes_read, bytes_written, extent_bytes
    FROM file_records
    WHERE toStartOfHour(start_time) IN (SELECT toDateTime(hour) FROM hours_to_total)
) AS record
INNER JOIN
(
    SELECT cluster, start_time, log_id, assumeNotNull(runs.user) AS user
    FROM runs
    WHERE toStartOfHour(start_time) IN (SELECT toDateTime(hour) FROM hours_to_total) AND runs.user IS NOT NULL
) AS run USING (cluster, start_time, log_id);

CREATE MATERIALIZED VIEW user_file_totals_build REFRESH EVERY 5 MINUTE APPEND TO user_file_totals_versions AS
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
    count() AS records,
    now64(6, 'UTC') AS built_at
FROM file_records_to_total AS each
GROUP BY cluster, user, hour, name
-- four million files take several GB, and less than one with what is beyond this on disk
SETTINGS max_bytes_before_external_group_by = 500000000;

CREATE VIEW user_file_totals AS
WITH
    toStartOfHour(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 HOUR - INTERVAL 1 MICROSECOND) AS first_hour,
    toStartOfHour(least({until:DateTime64(6, 'UTC')}, toDateTime64('2106-01-01', 6, 'UTC'))) AS end_hour,
    -- one value, so that it is looked up once: the hours whose totals count, with their builds, and the other hours
    (
        SELECT (groupArrayIf((hour, built_at), is_current), groupArrayIf(toDateTime(hour), NOT is_current))
        FROM hours_with_totals
        WHERE hour >= first_hour AND hour < end_hour
    ) AS hours
SELECT
    cluster,
    user,
    hour AS time,
    name,
    logs,
    logs_that_wrote,
    bytes_read,
    bytes_written,
    extent_bytes
FROM user_file_totals_versions
WHERE user = {user:String} AND hour >= first_hour AND hour < end_hour AND (hour, built_at) IN hours.1
UNION ALL
SELECT
    cluster,
    {user:String} AS user,
    start_time AS time,
    name,
    [sipHash64(log_id)] AS logs,
    max(ifNull(record.bytes_written > 0, 0)) AS logs_that_wrote,
    ifNull(sum(record.bytes_read), 0) AS bytes_read,
    ifNull(sum(record.bytes_written), 0) AS bytes_written,
    ifNull(max(record.extent_bytes), 0) AS extent_bytes
FROM file_records AS record
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND (start_time < first_hour OR start_time >= end_hour OR toStartOfHour(start_time) IN hours.2)
    AND (cluster, start_time, log_id) IN
    (
        SELECT cluster, start_time, log_id
        FROM runs
        WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
            AND (start_time < first_hour OR start_time >= end_hour OR toStartOfHour(start_time) IN hours.2)
            AND user = {user:String}
    )
GROUP BY cluster, start_time, log_id, name;

ALTER TABLE user_file_totals MODIFY COMMENT 'A file and a run of the user that is asked for, or all such runs of a whole hour of the range: no run of a file is in two rows.';

-- A build counts once it has all records of its hour; an hour without records of a known user's run has none to build.
CREATE MATERIALIZED VIEW hours_of_totals_build REFRESH EVERY 5 MINUTE DEPENDS ON user_file_totals_build APPEND TO hours_of_totals AS
SELECT hour, max(built) AS built_at
FROM
(
    SELECT hour, built_at AS built, sum(records) AS added
    FROM user_file_totals_versions
    WHERE hour IN (SELECT hour FROM hours_to_total)
    GROUP BY hour, built
    UNION ALL
    SELECT hour, now64(6, 'UTC') AS built, 0 AS added FROM hours_to_total
) AS build
LEFT JOIN (SELECT hour, count() AS records FROM file_records_to_total GROUP BY hour) AS there USING (hour)
WHERE added = there.records
GROUP BY hour;
