{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
WITH
    -- the finest bucket with which what there is in the range still fits on the axis
    (
        SELECT arrayFirst(seconds -> dateDiff('second', min(bucket_start), max(bucket_start)) <= 240 * seconds, [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800])
        FROM filesystem_load
        WHERE bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}'
    ) AS width
SELECT
    toStartOfInterval(bucket_start, toIntervalSecond(width)) AS time,
    filesystem,
    part.1 AS statistic,
    toNullable(if(statistic = 'mean', sum(part.2 * bucket_seconds) / sum(bucket_seconds), max(part.2))) AS util
FROM filesystem_load
ARRAY JOIN [('mean', util_mean), ('busiest device', util_max)] AS part
WHERE bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}'
GROUP BY time, filesystem, statistic
-- missing samples are gaps in the line: rows without a value
ORDER BY filesystem, statistic, time WITH FILL STEP toIntervalSecond(ifNull(width, 1))
