WITH
    -- the finest bucket with which what there is in the range still fits on the axis
    (
        SELECT arrayFirst(seconds -> dateDiff('second', min(time), max(time)) <= 120 * seconds, {{ intervals | select('ge', 15) | list }})
        FROM deliveries_since(since = '{{ since }}')
        WHERE state = 'sent' AND time < '{{ until }}' AND {{ of_center }}
    ) AS width,
    steps AS
    (
        SELECT
            deliveries.time AS time,
            cluster,
            arrayJoin([
                ('settled to decided', dateDiff('millisecond', settled_at, decided_at) / 1000),
                ('decided to sent', dateDiff('millisecond', decided_at, deliveries.time) / 1000)
            ]) AS taken
        FROM deliveries_since(since = '{{ since }}') AS deliveries
        WHERE state = 'sent' AND deliveries.time < '{{ until }}' AND {{ of_center }}
    )
SELECT time, cluster, toStartOfInterval(time, toIntervalSecond(width)) AS bucket, taken.1 AS step, taken.2 AS seconds
FROM steps
WHERE taken.2 IS NOT NULL
