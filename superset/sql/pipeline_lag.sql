WITH
    (SELECT {{ finest(240, 'time', least=15) }} FROM pipeline_metrics) AS width,
    metrics AS
    (
        SELECT time AS at, metric, job, part, value
        FROM pipeline_metrics
        WHERE width < 3600 AND metric IN ('lag_messages')
            AND pipeline_metrics.time >= '{{ since }}' AND pipeline_metrics.time < '{{ until }}'
        UNION ALL
        -- of an hour and more, hours are put together
        SELECT hour_start AS at, metric, job, part, max_value AS value
        FROM pipeline_metrics_hourly
        WHERE width >= 3600 AND metric IN ('lag_messages')
            AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}'
    )
SELECT
    toStartOfInterval(at, toIntervalSecond(width)) AS time,
    part AS topic,
    max(value) AS messages
FROM metrics
GROUP BY time, topic
