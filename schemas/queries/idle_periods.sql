/*
title: Idle periods of file systems
question: How long do file systems idle in one piece, so that a copy or a check could use the time?
note: A minute without samples ends a period. Load is kept for 90 days; its buckets must be no longer than a minute.
source: Carns et al. 2011, Table III
parameters:
  idle: {type: Float64, default: 0.05, meaning: the share of the busiest minute below which a minute is idle}
example: |
  cluster,filesystem,minutes_from,idle_periods,idle_minutes,share_of_time,minutes_without_bytes
  c,scratch,1,2,2,0.333,2
  c,scratch,2,1,2,0.333,1
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
    ),
    judged AS
    (
        SELECT
            *,
            count() OVER (PARTITION BY cluster, filesystem) AS all_minutes,
            mib_per_second = 0 OR mib_per_second < {idle:Float64} * max(mib_per_second) OVER (PARTITION BY cluster, filesystem) AS is_idle
        FROM minutes
    ),
    -- within a period the minutes grow as their row numbers do
    numbered AS
    (
        SELECT
            *,
            row_number() OVER (PARTITION BY cluster, filesystem ORDER BY minute) AS number,
            intDiv(toUnixTimestamp(minute), 60) - number AS period
        FROM judged
        WHERE is_idle
    ),
    periods AS
    (
        SELECT cluster, filesystem, any(all_minutes) AS all_minutes, count() AS length, countIf(mib_per_second = 0) AS at_zero
        FROM numbered
        GROUP BY cluster, filesystem, period
    )
SELECT
    cluster,
    filesystem,
    arrayLast(edge -> length >= edge, [1, 2, 10, 60, 1440]) AS minutes_from,
    count() AS idle_periods,
    sum(length) AS idle_minutes,
    round(idle_minutes / any(all_minutes), 3) AS share_of_time,
    sum(at_zero) AS minutes_without_bytes
FROM periods
GROUP BY cluster, filesystem, minutes_from
ORDER BY cluster, filesystem, minutes_from
