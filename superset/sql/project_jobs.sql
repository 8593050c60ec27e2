-- Jobs, with their node-hours and how far their I/O is known.
WITH
    -- days up to a month of what there is in the range, weeks up to half a year, else months; the first and last times of
    -- a table stand in its parts, nothing is read
    (
        SELECT dateDiff('day', greatest(min(submit_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(submit_time), toDateTime64('{{ until }}', 6, 'UTC')))
        FROM job_results_versions
    ) AS days
SELECT
    coalesce(results.start_time, results.submit_time) AS time,
    toDateTime(multiIf(days <= 31, toStartOfDay(time), days <= 183, toStartOfWeek(time, 1), toStartOfMonth(time)), 'UTC') AS period,
    cluster,
    ifNull(results.user, '(unknown)') AS user,
    ifNull(results.account, '(unknown)') AS account,
    replaceAll(coverage, '_', ' ') AS coverage,
    results.node_hours AS node_hours,
    results.node_hours_lost AS node_hours_lost
FROM job_results AS results
WHERE time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }}
    -- what the table's key and its index of starts know
    AND results.submit_time < '{{ until }}' AND (results.start_time >= '{{ since }}' OR results.start_time IS NULL)
