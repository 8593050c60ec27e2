/*
title: Burstiness of file systems
question: How far is the peak of each file system above its mean, and how long does it idle?
source: Carns et al. 2011, Figure 7 and Table III, by minutes; these are hours
parameters:
  idle: {type: Float64, default: 0.05, meaning: the share of the peak below which an hour is idle}
example: |
  cluster,filesystem,hours_sampled,mean_mib_per_second,peak_mib_per_second,share_below_a_third,idle_share
  c,scratch,4,77.5,400,0.75,0.5
*/
WITH hours AS
(
    SELECT
        cluster,
        filesystem,
        sampled_seconds,
        (bytes_read + bytes_written) / sampled_seconds / pow(1024, 2) AS mib_per_second,
        max(peak_bytes_per_second) OVER (PARTITION BY cluster, filesystem) / pow(1024, 2) AS peak
    FROM filesystem_load_hourly
    WHERE hour_start >= {since:DateTime64(6, 'UTC')} AND hour_start < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster) AND sampled_seconds > 0
)
SELECT
    cluster,
    filesystem,
    round(sum(sampled_seconds) / 3600, 1) AS hours_sampled,
    round(sum(mib_per_second * sampled_seconds) / sum(sampled_seconds), 1) AS mean_mib_per_second,
    round(any(peak), 1) AS peak_mib_per_second,
    round(sumIf(sampled_seconds, mib_per_second < peak / 3) / sum(sampled_seconds), 3) AS share_below_a_third,
    round(sumIf(sampled_seconds, mib_per_second = 0 OR mib_per_second < {idle:Float64} * peak) / sum(sampled_seconds), 3) AS idle_share
FROM hours
GROUP BY cluster, filesystem
ORDER BY cluster, filesystem
