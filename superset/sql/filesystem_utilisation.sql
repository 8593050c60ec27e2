WITH
    {{ interval_of_load('filesystem_load', 240) }}.1 AS width,
    load AS
    (
        SELECT bucket_start AS start, bucket_seconds AS seconds, filesystem, util_mean, util_max
        FROM filesystem_load
        WHERE width < 3600 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
        UNION ALL
        SELECT hour_start AS start, sampled_seconds AS seconds, filesystem, util_mean, util_max
        FROM filesystem_load_hourly
        WHERE width >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
    )
SELECT
    toStartOfInterval(start, toIntervalSecond(width)) AS time,
    {{ center }} AS cluster,
    filesystem,
    part.1 AS statistic,
    toNullable(if(statistic = 'mean', sum(part.2 * seconds) / sum(seconds), max(part.2))) AS util
FROM load
ARRAY JOIN [('mean', util_mean), ('busiest device', util_max)] AS part
GROUP BY time, filesystem, statistic
-- missing samples are gaps in the line: rows without a value
ORDER BY filesystem, statistic, time WITH FILL STEP toIntervalSecond(ifNull(width, 1))
