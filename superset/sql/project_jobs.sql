-- Jobs, with their node-hours and how far their I/O is known, whole days added up.
WITH
    -- days up to a month of what there is in the range, weeks up to half a year, else months; the first and last times of
    -- a table stand in its parts, nothing is read
    (
        SELECT dateDiff('day', greatest(min(submit_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(submit_time), toDateTime64('{{ until }}', 6, 'UTC')))
        FROM job_results_versions
    ) AS days
SELECT
    time,
    toDateTime(multiIf(days <= 31, toStartOfDay(time), days <= 183, toStartOfWeek(time, 1), toStartOfMonth(time)), 'UTC') AS period,
    cluster,
    user,
    account,
    {{ coverage_in_words() }} AS coverage,
    jobs,
    node_hours,
    node_hours_lost
FROM job_totals(since = '{{ since }}', until = '{{ until }}')
WHERE {{ of_center }}
