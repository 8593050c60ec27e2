WITH
    (SELECT {{ finest(240, 'time', least=15) }} FROM pipeline_metrics) AS width,
    metrics AS
    (
        SELECT time AS at, metric, job, part, value
        FROM pipeline_metrics
        WHERE width < 3600 AND metric IN ('state_bytes', 'checkpoint_seconds')
            AND pipeline_metrics.time >= '{{ since }}' AND pipeline_metrics.time < '{{ until }}'
        UNION ALL
        -- of an hour and more, hours are put together
        SELECT hour_start AS at, metric, job, part, max_value AS value
        FROM pipeline_metrics_hourly
        WHERE width >= 3600 AND metric IN ('state_bytes', 'checkpoint_seconds')
            AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}'
    )
SELECT
    toStartOfInterval(at, toIntervalSecond(width)) AS time,
    job,
    maxIf(value, metric = 'state_bytes') AS state_bytes,
    maxIf(value, metric = 'checkpoint_seconds') AS checkpoint_seconds
FROM metrics
GROUP BY time, job
