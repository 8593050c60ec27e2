{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
WITH
    -- the finest bucket with which what there is in the range still fits on the axis, and labels that sort by time
    (
        SELECT
        (
            arrayFirst(
                seconds -> dateDiff('second', min(bucket_start), max(bucket_start)) <= 40 * seconds,
                [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800]
            ),
            toDate(min(bucket_start)) = toDate(max(bucket_start))
        )
        FROM device_load
        WHERE bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}'
    ) AS axis
SELECT
    toStartOfInterval(bucket_start, toIntervalSecond(axis.1)) AS time,
    formatDateTime(time, multiIf(axis.2, '%H:%i:%S', axis.1 < 86400, '%m-%d %H:%i', '%Y-%m-%d')) AS clock,
    device_id AS device,
    sum(util * bucket_seconds) / sum(bucket_seconds) AS util
FROM device_load
WHERE bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}'
GROUP BY time, device
