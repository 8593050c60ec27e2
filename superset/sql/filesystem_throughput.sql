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
        SELECT bucket_start AS start, bucket_seconds AS seconds, filesystem, bytes_read, bytes_written
        FROM filesystem_load
        WHERE width < 3600 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
        UNION ALL
        SELECT hour_start AS start, sampled_seconds AS seconds, filesystem, bytes_read, bytes_written
        FROM filesystem_load_hourly
        WHERE width >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
    )
SELECT
    toStartOfInterval(start, toIntervalSecond(width)) AS time,
    {{ center }} AS cluster,
    filesystem,
    flow.1 AS direction,
    toNullable(sum(flow.2)) AS bytes,
    toNullable(sum(seconds)) AS observed_seconds
FROM load
ARRAY JOIN [('read', bytes_read), ('write', bytes_written)] AS flow
GROUP BY time, filesystem, direction
-- missing samples are gaps in the line: rows without a value
ORDER BY filesystem, direction, time WITH FILL STEP toIntervalSecond(ifNull(width, 1))
