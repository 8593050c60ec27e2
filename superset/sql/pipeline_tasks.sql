WITH
    (SELECT {{ finest(240, 'time', least=15) }} FROM pipeline_metrics) AS width,
    metrics AS
    (
        SELECT time AS at, metric, job, part, value
        FROM pipeline_metrics
        WHERE width < 3600 AND metric IN ('busy_share', 'backpressured_share')
            AND pipeline_metrics.time >= '{{ since }}' AND pipeline_metrics.time < '{{ until }}'
        UNION ALL
        -- of an hour and more, hours are put together
        SELECT hour_start AS at, metric, job, part, max_value AS value
        FROM pipeline_metrics_hourly
        WHERE width >= 3600 AND metric IN ('busy_share', 'backpressured_share')
            AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}'
    )
SELECT
    toStartOfInterval(at, toIntervalSecond(width)) AS time,
    concat(job, ': ', part) AS task,
    maxIf(value, metric = 'busy_share') AS busy_share,
    maxIf(value, metric = 'backpressured_share') AS backpressured_share
FROM metrics
GROUP BY time, task
