-- Of each file system that has reported in the range its newest bucket, and those that began less than ten seconds before it.
WITH newest AS
(
    SELECT cluster, filesystem, max(bucket_start) AS last
    FROM filesystem_load
    WHERE bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
    GROUP BY cluster, filesystem
)
SELECT
    max(last) AS time,
    cluster,
    filesystem,
    sum(bytes_read) / sum(bucket_seconds) / 1048576 AS read_mib_per_second,
    sum(bytes_written) / sum(bucket_seconds) / 1048576 AS write_mib_per_second,
    sum(util_mean * bucket_seconds) / sum(bucket_seconds) AS util_mean,
    max(util_max) AS util_max,
    concat(toString(argMax(servers_reported, bucket_start)), ' of ', toString(argMax(servers_expected, bucket_start))) AS servers,
    dateDiff('second', time, now()) AS age_seconds
FROM filesystem_load
INNER JOIN newest USING (cluster, filesystem)
WHERE bucket_start > last - INTERVAL 10 SECOND AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
GROUP BY cluster, filesystem
