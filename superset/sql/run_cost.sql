-- One row a run: what it lost to I/O. Here each run counts once, however many findings it has.
WITH
    -- days up to a month of what there is in the range, weeks up to half a year, else months; the first and last times of
    -- a table stand in its parts, nothing is read
    (
        SELECT dateDiff('day', greatest(min(start_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(start_time), toDateTime64('{{ until }}', 6, 'UTC')))
        FROM runs_versions
    ) AS days
SELECT
    start_time AS time,
    toDateTime(multiIf(days <= 31, toStartOfDay(start_time), days <= 183, toStartOfWeek(start_time, 1), toStartOfMonth(start_time)), 'UTC') AS period,
    cluster,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    ifNull(filesystem, '(none)') AS filesystem,
    program,
    replaceAll(verdict, '_', ' ') AS verdict,
    ifNull(slow, 0) AS is_slow,
    ifNull(node_hours_lost, 0) AS lost,
    if(node_hours_lost IS NULL, NULL, run_nodes * run_time_seconds / 3600) AS judged_node_hours
FROM runs
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
