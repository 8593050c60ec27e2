WITH
    {{ interval_of_load('filesystem_load', 240) }}.1 AS width,
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
