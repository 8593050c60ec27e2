{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Jobs as the scheduler tells of them; a job's time is its end, or its submission while it has not ended.
WITH
    -- the finest bucket with which what there is in the range still fits on the axis
    (
        SELECT arrayFirst(seconds -> dateDiff('second', min(ifNull(end_time, submit_time)), max(ifNull(end_time, submit_time))) <= 60 * seconds, [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800])
        FROM scheduler_jobs
        WHERE ifNull(end_time, submit_time) >= '{{ since }}' AND ifNull(end_time, submit_time) < '{{ until }}'
    ) AS width
SELECT
    ifNull(end_time, submit_time) AS time,
    toStartOfInterval(time, toIntervalSecond(width)) AS bucket,
    state,
    state_rank,
    end_time IS NOT NULL AS ended
FROM scheduler_jobs
WHERE time >= '{{ since }}' AND time < '{{ until }}'
