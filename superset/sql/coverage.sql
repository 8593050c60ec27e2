{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- The coverage ledger: what became of each job that ended, and of each log that no job claims.
SELECT
    coalesce(end_time, start_time, submit_time) AS time,
    concat('job ', replaceAll(coverage, '_', ' ')) AS coverage
FROM job_results
WHERE time >= '{{ since }}' AND time < '{{ until }}'
    -- what the table's key and its index of ends know
    AND submit_time < '{{ until }}' AND (end_time >= '{{ since }}' OR end_time IS NULL)
UNION ALL
SELECT start_time AS time, concat('log ', replaceAll(job_join, '_', ' ')) AS coverage
FROM runs
WHERE job_join != 'joined' AND start_time >= '{{ since }}' AND start_time < '{{ until }}'
