-- What runs lost to I/O, whole days added up. Here each run counts once, however many findings it has.
WITH
    -- days up to a month of what there is in the range, weeks up to half a year, else months; the first and last times of
    -- a table stand in its parts, nothing is read
    (
        SELECT dateDiff('day', greatest(min(start_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(start_time), toDateTime64('{{ until }}', 6, 'UTC')))
        FROM runs_versions
    ) AS days
SELECT
    time,
    toDateTime(multiIf(days <= 31, toStartOfDay(time), days <= 183, toStartOfWeek(time, 1), toStartOfMonth(time)), 'UTC') AS period,
    cluster,
    user,
    account,
    filesystem,
    program,
    replaceAll(verdict, '_', ' ') AS verdict,
    is_slow,
    runs,
    node_hours_lost AS lost,
    judged_node_hours
FROM run_totals(since = '{{ since }}', until = '{{ until }}')
WHERE {{ of_center }}
