-- Totals, by day, of runs that met a slow target, or devices that others kept busy, or put too many stripes on a target themselves:
-- which targets these were over a year was a question to each of its runs. They are worked out and read as the totals of 0062.
ALTER TABLE days_of_totals COMMENT COLUMN table 'runs, run_io, targets, findings, job_results or device_load_hourly';

INSERT INTO days_of_totals (table, day, landed_at)
SELECT 'targets' AS table, toDate(start_time) AS day, now64(6, 'UTC') FROM runs_versions GROUP BY day;

CREATE MATERIALIZED VIEW targets_landed TO days_of_totals AS
SELECT 'targets' AS table, toDate(start_time) AS day, now64(6, 'UTC') AS landed_at
FROM runs_versions
GROUP BY day;

CREATE VIEW target_measures AS
SELECT
    start_time,
    toDate(start_time) AS day,
    cluster,
    ifNull(met.user, '(unknown)') AS user,
    ifNull(met.account, '(unknown)') AS account,
    ifNull(met.filesystem, '(none)') AS filesystem,
    program,
    rule_id,
    multiIf(
        rule_id = 'slow_target', concat('OST ', toString(toInt64(ifNull(met.slowest_target, -1)))),
        rule_id = 'device_contention', ifNull(met.load_busiest_device, '(unknown)'),
        '(several)'
    ) AS target,
    toUInt64(1) AS runs,
    if(rule_id = 'slow_target', met.slowest_target_ratio, NULL) AS lowest_ratio,
    ifNull(lowest_ratio, 0) AS ratios,
    if(rule_id = 'slow_target', ifNull(met.slowest_target_mib_per_second, 0), 0) AS rates,
    ifNull(met.node_hours_lost, 0) AS node_hours_lost,
    start_time AS last_start
FROM (SELECT * FROM runs WHERE hasAny(findings, ['slow_target', 'device_contention', 'target_overload'])) AS met
ARRAY JOIN arrayIntersect(findings, ['slow_target', 'device_contention', 'target_overload']) AS rule_id;

CREATE TABLE target_totals_versions
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    day Date COMMENT 'of the start, in UTC',
    user LowCardinality(String) COMMENT '(unknown) where no job is known',
    account LowCardinality(String) COMMENT 'the project; (unknown) where no job is known',
    filesystem LowCardinality(String) COMMENT 'with most of a run''s bytes; (none) of none of the site',
    program LowCardinality(String) COMMENT 'as in runs',
    rule_id LowCardinality(String) COMMENT 'slow_target, device_contention or target_overload',
    target LowCardinality(String) COMMENT 'of slow_target the Lustre index, of device_contention the busiest device, else (several)',
    runs UInt64 COMMENT 'runs in which the rule held',
    lowest_ratio Nullable(Float64) COMMENT 'lowest slowest_target_ratio; only of slow_target',
    ratios Float64 COMMENT 'sum of slowest_target_ratio; only of slow_target',
    rates Float64 COMMENT 'sum of slowest_target_mib_per_second; only of slow_target',
    node_hours_lost Float64 COMMENT 'as in runs, unknown ones as 0',
    last_start DateTime64(6, 'UTC') COMMENT 'start of the last of these runs',
    day_rows UInt64 COMMENT 'rows of the day''s totals: those of a build that was cut off are never read',
    built_at DateTime64(6, 'UTC') COMMENT 'when they were worked out; the newest of a day count'
)
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYear(day)
ORDER BY (cluster, day, rule_id, target, filesystem, user, account, program);

CREATE MATERIALIZED VIEW target_totals_build REFRESH EVERY 5 MINUTE APPEND TO target_totals_versions AS
SELECT
    each.cluster AS cluster,
    each.day AS day,
    each.user AS user,
    each.account AS account,
    each.filesystem AS filesystem,
    each.program AS program,
    each.rule_id AS rule_id,
    each.target AS target,
    sum(each.runs) AS runs,
    min(each.lowest_ratio) AS lowest_ratio,
    sum(each.ratios) AS ratios,
    sum(each.rates) AS rates,
    sum(each.node_hours_lost) AS node_hours_lost,
    max(each.last_start) AS last_start,
    count() OVER (PARTITION BY day) AS day_rows,
    now64(6, 'UTC') AS built_at
FROM target_measures AS each
WHERE each.day IN (SELECT day FROM days_to_total WHERE table = 'targets')
GROUP BY cluster, day, user, account, filesystem, program, rule_id, target;

-- The runs of a range, of which the days that lie in it as a whole are added up. `time` is a run's start or such a day's begin.
CREATE VIEW target_totals AS
WITH
    -- the days that lie in the range as a whole
    toDate(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND) AS first_day,
    toDate(least({until:DateTime64(6, 'UTC')}, toDateTime64('2149-01-01', 6, 'UTC'))) AS end_day,
    -- one value, so that it is looked up once: the days whose totals count, with their builds, and the other days
    (
        SELECT (groupArrayIf((day, built_at), is_current), groupArrayIf(day, NOT is_current))
        FROM days_with_totals
        WHERE table = 'targets' AND day >= first_day AND day < end_day
    ) AS days
SELECT toDateTime64(day, 6, 'UTC') AS time, * EXCEPT (day, day_rows, built_at)
FROM target_totals_versions
WHERE day >= first_day AND day < end_day AND (day, built_at) IN days.1
UNION ALL
SELECT start_time AS time, * EXCEPT (start_time, day)
FROM target_measures
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND (day < first_day OR day >= end_day OR day IN days.2);

-- A build counts once it is there as a whole; a day of which no run met such a target has no totals.
CREATE MATERIALIZED VIEW days_of_targets_build REFRESH EVERY 5 MINUTE DEPENDS ON target_totals_build APPEND TO days_of_totals AS
SELECT 'targets' AS table, day, max(built) AS built_at
FROM
(
    SELECT day, built_at AS built
    FROM target_totals_versions
    WHERE day IN (SELECT day FROM days_to_total WHERE table = 'targets')
    GROUP BY day, built
    HAVING count() = max(day_rows)
)
GROUP BY day
UNION ALL
SELECT table, day, now64(6, 'UTC') AS built_at
FROM days_to_total
WHERE table = 'targets' AND day NOT IN (
    SELECT day FROM target_measures WHERE day IN (SELECT day FROM days_to_total WHERE table = 'targets')
);
