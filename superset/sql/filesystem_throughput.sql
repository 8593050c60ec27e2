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
        SELECT cluster, filesystem, bucket_start AS start, bucket_seconds AS seconds, bytes_read, bytes_written
        FROM filesystem_load
        WHERE width < 3600 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
        UNION ALL
        SELECT cluster, filesystem, hour_start AS start, sampled_seconds AS seconds, bytes_read, bytes_written
        FROM filesystem_load_hourly
        WHERE width >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
    ),
    rates AS
    (
        SELECT
            toStartOfInterval(start, toIntervalSecond(width)) AS time,
            filesystem,
            sum(bytes_read) / sum(seconds) AS read,
            sum(bytes_written) / sum(seconds) AS written
        FROM load
        GROUP BY time, cluster, filesystem
    )
SELECT
    time,
    {{ center }} AS cluster,
    filesystem,
    flow.1 AS direction,
    -- of several centers with a file system of this name, together
    toNullable(sum(flow.2)) AS bytes_per_second
FROM rates
ARRAY JOIN [('read', read), ('write', written)] AS flow
GROUP BY time, filesystem, direction
-- missing samples are gaps in the line: rows without a value
ORDER BY filesystem, direction, time WITH FILL STEP toIntervalSecond(ifNull(width, 1))
