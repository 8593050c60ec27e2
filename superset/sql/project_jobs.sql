{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
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
WHERE time >= '{{ since }}' AND time < '{{ until }}'
    -- what the table's key and its index of starts know
    AND results.submit_time < '{{ until }}' AND (results.start_time >= '{{ since }}' OR results.start_time IS NULL)
