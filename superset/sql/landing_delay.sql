WITH
    (SELECT {{ finest(120, 'landed_at') }} FROM landings) AS width,
    delays AS
    (
        SELECT
            max(landed_at) AS time,
            toStartOfInterval(landed_at, toIntervalSecond(width)) AS bucket,
            table AS target,
            sum(landings.rows) AS rows,
            quantilesTDigestState(0.5, 0.99)(toFloat64(dateDiff('millisecond', oldest_sent_at, landed_at)) / 1000) AS delay_seconds,
            max(toFloat64(dateDiff('millisecond', oldest_sent_at, landed_at)) / 1000) AS max_delay_seconds
        FROM landings
        WHERE width < 3600 AND landed_at >= '{{ since }}' AND landed_at < '{{ until }}' AND {{ of_center }}
        GROUP BY bucket, target
        UNION ALL
        -- of an hour and more, hours are put together
        SELECT
            max(hour_start) AS time,
            toStartOfInterval(hour_start, toIntervalSecond(width)) AS bucket,
            table AS target,
            sum(landings_hourly.rows) AS rows,
            quantilesTDigestMergeState(0.5, 0.99)(delay_seconds) AS delay_seconds,
            max(landings_hourly.max_delay_seconds) AS max_delay_seconds
        FROM landings_hourly
        WHERE width >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
        GROUP BY bucket, target
    )
SELECT *, {{ center }} AS cluster
FROM delays
