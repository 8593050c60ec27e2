{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
WITH
    -- the finest bucket with which what there is in the range still fits on the axis
    (
        SELECT arrayFirst(seconds -> dateDiff('second', min(landed_at), max(landed_at)) <= 120 * seconds, [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800])
        FROM landings
        WHERE landed_at >= '{{ since }}' AND landed_at < '{{ until }}'
    ) AS width
SELECT
    landed_at AS time,
    toStartOfInterval(landed_at, toIntervalSecond(width)) AS bucket,
    table AS target,
    rows,
    dateDiff('millisecond', oldest_sent_at, landed_at) / 1000 AS delay_seconds
FROM landings
WHERE landed_at >= '{{ since }}' AND landed_at < '{{ until }}'
