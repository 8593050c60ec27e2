-- Totals of devices by day: a year of hours of 26,536 devices is 232 million rows. They are worked out and read as the totals
-- of 0062.
ALTER TABLE days_of_totals COMMENT COLUMN table 'runs, run_io, findings, job_results or device_load_hourly';

INSERT INTO days_of_totals (table, day, landed_at)
SELECT 'device_load_hourly' AS table, toDate(hour_start) AS day, now64(6, 'UTC') FROM device_load_hourly_versions GROUP BY day;

CREATE MATERIALIZED VIEW device_load_hourly_landed TO days_of_totals AS
SELECT 'device_load_hourly' AS table, toDate(hour_start) AS day, now64(6, 'UTC') AS landed_at
FROM device_load_hourly_versions
GROUP BY day;

CREATE VIEW device_measures AS
SELECT
    hour_start,
    toDate(hour_start) AS day,
    cluster,
    server,
    device_id,
    toUInt64(1) AS hours,
    toUInt64(util >= 0.8) AS busy_hours,
    sampled_seconds,
    util * sampled_seconds AS busy_seconds,
    reads + writes AS requests,
    read_wait_seconds + write_wait_seconds AS wait_seconds
FROM device_load_hourly;

CREATE TABLE device_totals_versions
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    day Date COMMENT 'in UTC',
    server LowCardinality(String) COMMENT 'as in device_load_hourly',
    device_id LowCardinality(String) COMMENT 'as in device_load_hourly',
    hours UInt64 COMMENT 'hours of which samples are there',
    busy_hours UInt64 COMMENT 'of these those in which it was busy for 80 % of the sampled time or more',
    sampled_seconds Float64 COMMENT 'of its samples; what lacks is a gap, not idle time',
    busy_seconds Float64 COMMENT 'of these those in which it was busy',
    requests Float64 COMMENT 'completed, reads and writes',
    wait_seconds Float64 COMMENT 'sum over the requests',
    day_rows UInt64 COMMENT 'rows of the day''s totals: those of a build that was cut off are never read',
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out; the newest of a day count'
)
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYear(day)
ORDER BY (cluster, day, server, device_id);

CREATE MATERIALIZED VIEW device_totals_build REFRESH EVERY 5 MINUTE APPEND TO device_totals_versions AS
SELECT
    each.cluster AS cluster,
    each.day AS day,
    each.server AS server,
    each.device_id AS device_id,
    sum(each.hours) AS hours,
    sum(each.busy_hours) AS busy_hours,
    sum(each.sampled_seconds) AS sampled_seconds,
    sum(each.busy_seconds) AS busy_seconds,
    sum(each.requests) AS requests,
    sum(each.wait_seconds) AS wait_seconds,
    count() OVER (PARTITION BY day) AS day_rows,
    now64(6, 'UTC') AS built_at
FROM device_measures AS each
WHERE each.day IN (SELECT day FROM days_to_total WHERE table = 'device_load_hourly')
GROUP BY cluster, day, server, device_id;

-- The hours of a range, of which the days that lie in it as a whole are added up. `time` is an hour's start or such a day's begin.
CREATE VIEW device_totals AS
WITH
    -- the days that lie in the range as a whole
    toDate(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND) AS first_day,
    toDate(least({until:DateTime64(6, 'UTC')}, toDateTime64('2149-01-01', 6, 'UTC'))) AS end_day,
    -- one value, so that it is looked up once: the days whose totals count, with their builds, and the other days
    (
        SELECT (groupArrayIf((day, built_at), is_current), groupArrayIf(day, NOT is_current))
        FROM days_with_totals
        WHERE table = 'device_load_hourly' AND day >= first_day AND day < end_day
    ) AS days
SELECT toDateTime64(day, 6, 'UTC') AS time, * EXCEPT (day, day_rows, built_at)
FROM device_totals_versions
WHERE day >= first_day AND day < end_day AND (day, built_at) IN days.1
UNION ALL
SELECT hour_start AS time, * EXCEPT (hour_start, day)
FROM device_measures
WHERE hour_start >= {since:DateTime64(6, 'UTC')} AND hour_start < {until:DateTime64(6, 'UTC')}
    AND (day < first_day OR day >= end_day OR day IN days.2);

-- A build counts once it is there as a whole; a day of which every row was taken back has no totals.
CREATE MATERIALIZED VIEW days_of_devices_build REFRESH EVERY 5 MINUTE DEPENDS ON device_totals_build APPEND TO days_of_totals AS
SELECT 'device_load_hourly' AS table, day, max(built) AS built_at
FROM
(
    SELECT day, built_at AS built
    FROM device_totals_versions
    WHERE day IN (SELECT day FROM days_to_total WHERE table = 'device_load_hourly')
    GROUP BY day, built
    HAVING count() = max(day_rows)
)
GROUP BY day
UNION ALL
SELECT table, day, now64(6, 'UTC') AS built_at
FROM days_to_total
WHERE table = 'device_load_hourly' AND day NOT IN (
    SELECT day FROM device_measures WHERE day IN (SELECT day FROM days_to_total WHERE table = 'device_load_hourly')
);
