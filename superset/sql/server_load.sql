-- What the devices of each storage server did over time.
WITH
    -- a day of all buckets is millions
    {{ interval_of_load('server_load', 120, longest=43200) }}.1 AS width,
    load AS
    (
        SELECT
            cluster,
            server,
            bucket_start AS start,
            bucket_seconds AS seconds,
            bytes_read,
            bytes_written,
            reads,
            writes,
            util_mean,
            util_max,
            read_wait_seconds,
            write_wait_seconds
        FROM server_load
        WHERE width < 3600 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
        UNION ALL
        SELECT
            cluster,
            server,
            hour_start,
            sampled_seconds AS seconds,
            bytes_read,
            bytes_written,
            reads,
            writes,
            util_mean,
            util_max,
            read_wait_seconds,
            write_wait_seconds
        FROM server_load_hourly
        WHERE width >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
    )
SELECT
    toStartOfInterval(start, toIntervalSecond(width)) AS time,
    cluster,
    server,
    sum(seconds) AS sampled_seconds,
    sum(util_mean * seconds) AS busy_seconds,
    max(util_max) AS busiest,
    sum(bytes_read) AS read_bytes,
    sum(bytes_written) AS written_bytes,
    sum(reads) AS read_requests,
    sum(writes) AS write_requests,
    sum(read_wait_seconds) AS read_wait,
    sum(write_wait_seconds) AS write_wait
FROM load
GROUP BY time, cluster, server
