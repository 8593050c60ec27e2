-- Throughput of each file system by minutes, as Carns et al. (2011) looked at burstiness and idle periods; where there is
-- more than ten days, by hours. The peak is that of the range: of a minute, or of the busiest bucket of the hours. An idle
-- minute (or hour) is below 5 % of the peak; a missing sample ends an idle period.
WITH
    if({{ interval_of_load('filesystem_load', 14400) }}.1 > 60, 3600, 60) AS width,
    units AS
    (
        SELECT
            cluster,
            filesystem,
            toDateTime(toStartOfMinute(bucket_start), 'UTC') AS start,
            sum(bucket_seconds) AS seconds,
            sum(bytes_read + bytes_written) / seconds AS rate,
            rate AS peak
        FROM filesystem_load
        WHERE width = 60 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
        GROUP BY cluster, filesystem, start
        UNION ALL
        SELECT
            cluster,
            filesystem,
            toDateTime(hour_start, 'UTC') AS start,
            sampled_seconds AS seconds,
            (bytes_read + bytes_written) / seconds AS rate,
            peak_bytes_per_second AS peak
        FROM filesystem_load_hourly
        WHERE width = 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }} AND sampled_seconds > 0
    ),
    judged AS
    (
        SELECT
            *,
            max(peak) OVER (PARTITION BY cluster, filesystem) AS highest,
            rate = 0 OR rate < 0.05 * highest AS idle
        FROM units
    ),
    begun AS
    (
        SELECT
            *,
            lagInFrame(idle) OVER own AS idle_before,
            lagInFrame(toUnixTimestamp(start)) OVER own AS start_before,
            lagInFrame(seconds) OVER own AS seconds_before
        FROM judged
        WINDOW own AS (PARTITION BY cluster, filesystem ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    ),
    numbered AS
    (
        SELECT
            *,
            -- a bucket of load may be longer than a minute
            idle AND idle_before AND toUnixTimestamp(start) <= start_before + greatest(width, seconds_before) AS goes_on,
            sum(NOT goes_on) OVER (PARTITION BY cluster, filesystem ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS period
        FROM begun
    )
SELECT
    start AS time,
    cluster,
    filesystem,
    seconds,
    rate / 1048576 AS rate_mib_per_second,
    highest / 1048576 AS highest_mib_per_second,
    if(highest = 0, 0, roundDown(rate / highest, [0, 0.05, 0.1, 0.2, 0.33, 0.5, 0.75])) AS share_from,
    idle AS is_idle,
    if(idle, sum(seconds) OVER (PARTITION BY cluster, filesystem, period), 0) AS idle_seconds,
    -- labels that sort by length: hours and minutes from which a period is in the class
    multiIf(
        NOT idle, 'not idle',
        idle_seconds < 300, '00:00',
        idle_seconds < 900, '00:05',
        idle_seconds < 3600, '00:15',
        idle_seconds < 14400, '01:00',
        idle_seconds < 86400, '04:00',
        '24:00'
    ) AS idle_period
FROM numbered
