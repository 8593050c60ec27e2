WITH
    -- the finest bucket with which what there is in the range still fits on the axis; the first and last times of a table
    -- stand in its parts, nothing is read
    (
        SELECT
            arrayFirst(
                seconds -> dateDiff(
                    'second', greatest(min(time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(time), toDateTime64('{{ until }}', 6, 'UTC'))
                ) <= 240 * seconds,
                [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800, 2592000, 7776000, 31536000]
            )
        FROM pipeline_metrics
    ) AS width,
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
