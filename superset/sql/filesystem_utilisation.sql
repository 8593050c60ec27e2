WITH
    -- the finest bucket with which what there is in the range still fits on the axis; of an hour and more, hours are added
    -- up. The first and last times of a table stand in its parts, nothing is read
    (
        SELECT
            {{ finest(240, 'first', 'last') }}
        FROM
        (
            SELECT min(bucket_start) AS first, max(bucket_start) AS last FROM filesystem_load_versions HAVING count() > 0
            UNION ALL
            SELECT min(hour_start) AS first, max(hour_start) AS last FROM filesystem_load_hourly_versions HAVING count() > 0
        )
    ) AS width,
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
