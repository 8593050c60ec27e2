{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Bytes of the targets that moved most, in the buckets in which they moved them: what lies between two looks is spread
-- evenly. Not from target_live_rates, which reads all days for that.
WITH
    -- the finest bucket with which what there is in the range still fits on the axis
    (
        SELECT arrayFirst(seconds -> dateDiff('second', min(time), max(time)) <= 240 * seconds, [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800])
        FROM target_live
        WHERE time >= '{{ since }}' AND time < '{{ until }}'
    ) AS width,
    looks AS
    (
        SELECT
            cluster,
            target,
            toUnixTimestamp64Micro(time) / 1e6 AS till,
            ifNull(bytes_read, 0) AS read,
            ifNull(bytes_written, 0) AS written,
            row_number() OVER (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS look,
            lagInFrame(till) OVER (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS began,
            lagInFrame(read) OVER (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS read_before,
            lagInFrame(written) OVER (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS written_before
        FROM target_live
        WHERE time >= '{{ since }}' AND time < '{{ until }}'
    ),
    moved AS
    (
        SELECT
            cluster,
            target,
            began,
            till,
            read - read_before AS bytes_read,
            written - written_before AS bytes_written
        FROM looks
        -- a count that fell began anew
        WHERE look > 1 AND read >= read_before AND written >= written_before
    ),
    busiest AS
    (
        SELECT cluster, target
        FROM moved
        GROUP BY cluster, target
        HAVING sum(bytes_read + bytes_written) > 0
        ORDER BY sum(bytes_read + bytes_written) DESC, target
        LIMIT 5
    ),
    rates AS
    (
        SELECT
            if((cluster, target) IN (SELECT cluster, target FROM busiest), target, 'others') AS target_or_others,
            began,
            till,
            sum(bytes_read) / (till - began) AS read,
            sum(bytes_written) / (till - began) AS written
        FROM moved
        GROUP BY target_or_others, began, till
    )
SELECT
    toDateTime(bucket * width, 'UTC') AS time,
    target_or_others AS target,
    flow.1 AS direction,
    toNullable(sum(flow.2 * (least(till, toFloat64((bucket + 1) * width)) - greatest(began, toFloat64(bucket * width))))) AS bytes,
    toNullable(any(width)) AS bucket_seconds
FROM rates
ARRAY JOIN [('read', read), ('write', written)] AS flow
ARRAY JOIN range(toUInt64(intDiv(began, width)), toUInt64(intDiv(till, width)) + 1) AS bucket
GROUP BY time, target, direction
-- where a server began to count anew the line has a gap: rows without a value
ORDER BY target, direction, time WITH FILL STEP toIntervalSecond(ifNull(width, 1))
