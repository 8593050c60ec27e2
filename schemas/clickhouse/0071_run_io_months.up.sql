-- Totals of months, of how runs do their I/O: a year has ten times fewer rows in months than in days (0067), as programs run again
-- and again. They are added up from the totals of days, and are read while each of these is read and none is younger.
CREATE TABLE months_of_totals
(
    table LowCardinality(String) COMMENT 'as in days_of_totals',
    month Date COMMENT 'its first day',
    built_at SimpleAggregateFunction(max, DateTime64(6, 'UTC')) COMMENT 'when its totals were last worked out'
)
ENGINE = AggregatingMergeTree
ORDER BY (table, month);

CREATE VIEW months_with_totals AS
SELECT
    table,
    month,
    days.are_current AS days_are_current,
    months.built_at AS built_at,
    days.are_current AND months.built_at > days.built_at AS is_current
FROM
(
    SELECT table, toStartOfMonth(day) AS month, min(days_with_totals.is_current) AS are_current, max(days_with_totals.built_at) AS built_at
    FROM days_with_totals
    GROUP BY table, month
) AS days
LEFT JOIN
(
    SELECT table, month, max(months_of_totals.built_at) AS built_at
    FROM months_of_totals
    GROUP BY table, month
) AS months USING (table, month);

-- Two months at a time, the newest first; of the last two days of a month too much comes still.
CREATE VIEW months_to_total AS
SELECT table, month
FROM months_with_totals
WHERE table = 'run_io' AND days_are_current AND NOT is_current AND month < toStartOfMonth(today() - 1)
ORDER BY month DESC
LIMIT 2;

CREATE TABLE run_io_months_versions AS run_io_totals_versions
ENGINE = ReplacingMergeTree(built_at)
PARTITION BY toYear(day)
ORDER BY (cluster, day, user, account, filesystem, program, log_state, is_parallel, processes_from, sharing, modules);

ALTER TABLE run_io_months_versions COMMENT COLUMN day 'the first of the month';

ALTER TABLE run_io_months_versions COMMENT COLUMN day_rows 'rows of the month''s totals: those of a build that was cut off are never read';

ALTER TABLE run_io_months_versions COMMENT COLUMN built_at 'when they were worked out; the newest of a month count';

CREATE MATERIALIZED VIEW run_io_months_build REFRESH EVERY 5 MINUTE DEPENDS ON days_of_run_io_build APPEND TO run_io_months_versions AS
SELECT
    each.cluster AS cluster,
    toStartOfMonth(each.day) AS day,
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
FROM run_io_totals_versions AS each
WHERE toStartOfMonth(each.day) IN (SELECT month FROM months_to_total)
    AND (each.day, each.built_at) IN (SELECT day, built_at FROM days_with_totals WHERE table = 'run_io' AND is_current)
GROUP BY cluster, day, user, account, filesystem, program, log_state, is_parallel, processes_from, sharing, modules;

-- The runs of a range, of which the months and days that lie in it as a whole are added up. `time` is a run's start or the begin
-- of such a month or day: who asks for what happened when asks run_io_totals.
CREATE VIEW run_io_months AS
WITH
    -- the days and months that lie in the range as a whole
    greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) AS begin,
    toDate(least({until:DateTime64(6, 'UTC')}, toDateTime64('2149-01-01', 6, 'UTC'))) AS end_day,
    toDate(begin + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND) AS first_day,
    toStartOfMonth(toDate(begin - INTERVAL 1 MICROSECOND)) + INTERVAL 1 MONTH AS first_month,
    toStartOfMonth(end_day) AS end_month,
    (
        SELECT groupArray((month, built_at))
        FROM months_with_totals
        WHERE table = 'run_io' AND month >= first_month AND month < end_month AND is_current
    ) AS months,
    -- one value, so that it is looked up once: the days whose totals count, with their builds, and the other days
    (
        SELECT (groupArrayIf((day, built_at), is_current), groupArrayIf(day, NOT is_current))
        FROM days_with_totals
        WHERE table = 'run_io' AND day >= first_day AND day < end_day AND NOT has(months.1, toStartOfMonth(day))
    ) AS days
SELECT toDateTime64(day, 6, 'UTC') AS time, * EXCEPT (day, day_rows, built_at)
FROM run_io_months_versions
WHERE day >= first_month AND day < end_month AND (day, built_at) IN months
UNION ALL
SELECT toDateTime64(day, 6, 'UTC') AS time, * EXCEPT (day, day_rows, built_at)
FROM run_io_totals_versions
WHERE day >= first_day AND day < end_day AND (day, built_at) IN days.1
UNION ALL
SELECT start_time AS time, * EXCEPT (start_time, day)
FROM run_io_measures
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND (day < first_day OR day >= end_day OR day IN days.2);

-- A build counts once it is there as a whole; a month of which every row was taken back has no totals.
CREATE MATERIALIZED VIEW months_of_run_io_build REFRESH EVERY 5 MINUTE DEPENDS ON run_io_months_build APPEND TO months_of_totals AS
SELECT 'run_io' AS table, month, max(built) AS built_at
FROM
(
    SELECT day AS month, built_at AS built
    FROM run_io_months_versions
    WHERE day IN (SELECT month FROM months_to_total)
    GROUP BY month, built
    HAVING count() = max(day_rows)
)
GROUP BY month
UNION ALL
SELECT table, month, now64(6, 'UTC') AS built_at
FROM months_to_total
WHERE month NOT IN (
    SELECT toStartOfMonth(day)
    FROM run_io_totals_versions
    WHERE (day, built_at) IN (SELECT day, built_at FROM days_with_totals WHERE table = 'run_io' AND is_current)
);
