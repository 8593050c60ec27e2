{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
WITH
    -- the finest bucket with which what there is in the range still fits on the axis
    (
        SELECT arrayFirst(seconds -> dateDiff('second', min(time), max(time)) <= 240 * seconds, [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800])
        FROM pipeline_metrics
        WHERE time >= '{{ since }}' AND time < '{{ until }}'
    ) AS width
SELECT
    toStartOfInterval(pipeline_metrics.time, toIntervalSecond(width)) AS time,
    job,
    maxIf(value, metric = 'state_bytes') AS state_bytes,
    maxIf(value, metric = 'checkpoint_seconds') AS checkpoint_seconds
FROM pipeline_metrics
WHERE metric IN ('state_bytes', 'checkpoint_seconds')
    AND pipeline_metrics.time >= '{{ since }}' AND pipeline_metrics.time < '{{ until }}'
GROUP BY time, job
