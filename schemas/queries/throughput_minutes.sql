/*
title: Throughput by minutes
question: For which share of its time does each file system run at which part of its peak?
note: The peak is that of the busiest minute of the range. Load is kept for 90 days; its buckets must be no longer
  than a minute.
source: Carns et al. 2011, Figure 7
example: |
  cluster,filesystem,up_to_peak,peak_mib_per_second,minutes_at,share,share_so_far
  c,scratch,0,100,3,0.5,0.5
  c,scratch,0.1,100,2,0.333,0.833
  c,scratch,1,100,1,0.167,1
*/
WITH
    minutes AS
    (
        SELECT
            cluster,
            filesystem,
            toStartOfMinute(bucket_start) AS minute,
            sum(bytes_read + bytes_written) / sum(bucket_seconds) / pow(1024, 2) AS mib_per_second
        FROM filesystem_load
        WHERE bucket_start >= {since:DateTime64(6, 'UTC')} AND bucket_start < {until:DateTime64(6, 'UTC')}
            AND {cluster:String} IN ('', cluster)
        GROUP BY cluster, filesystem, minute
    )
SELECT
    cluster,
    filesystem,
    if(peak = 0, 0, least(ceil(10 * mib_per_second / peak), 10) / 10) AS up_to_peak,
    any(peak) AS peak_mib_per_second,
    count() AS minutes_at,
    round(minutes_at / any(all_minutes), 3) AS share,
    round(sum(count()) OVER (PARTITION BY cluster, filesystem ORDER BY up_to_peak) / any(all_minutes), 3) AS share_so_far
FROM
(
    SELECT
        *,
        count() OVER (PARTITION BY cluster, filesystem) AS all_minutes,
        max(mib_per_second) OVER (PARTITION BY cluster, filesystem) AS peak
    FROM minutes
)
GROUP BY cluster, filesystem, up_to_peak
ORDER BY cluster, filesystem, up_to_peak
