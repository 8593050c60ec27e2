{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Bytes of the jobs that moved most, in the buckets in which they moved them: what lies between two looks is spread evenly.
WITH
    -- the finest bucket with which what there is in the range still fits on the axis
    (
        SELECT arrayFirst(seconds -> dateDiff('second', min(time), max(time)) <= 240 * seconds, [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800])
        FROM job_live
        WHERE time >= '{{ since }}' AND time < '{{ until }}'
    ) AS width,
    busiest AS
    (
        SELECT cluster, job_id
        FROM
        (
            SELECT
                cluster,
                job_id,
                ifNull(max(bytes_read) - min(bytes_read), 0) + ifNull(max(bytes_written) - min(bytes_written), 0) AS moved
            FROM job_live
            WHERE time >= '{{ since }}' AND time < '{{ until }}'
            GROUP BY cluster, job_id, server, target, job_key
        )
        GROUP BY cluster, job_id
        ORDER BY sum(moved) DESC, job_id
        LIMIT 5
    ),
    rates AS
    (
        SELECT
            if((cluster, job_id) IN (SELECT cluster, job_id FROM busiest), toString(job_id), 'others') AS job_or_others,
            toUnixTimestamp64Micro(time) / 1e6 AS till,
            greatest(till - seconds, toUnixTimestamp(toDateTime('{{ since }}', 'UTC'))) AS began,
            ifNull(sum(bytes_read_per_second), 0) AS read,
            ifNull(sum(bytes_written_per_second), 0) AS written
        FROM job_live_rates
        WHERE time >= '{{ since }}' AND time < '{{ until }}'
        GROUP BY job_or_others, till, began
    )
SELECT
    toDateTime(bucket * width, 'UTC') AS time,
    job_or_others AS job,
    flow.1 AS direction,
    toNullable(sum(flow.2 * (least(till, toFloat64((bucket + 1) * width)) - greatest(began, toFloat64(bucket * width))))) AS bytes,
    toNullable(any(width)) AS bucket_seconds
FROM rates
ARRAY JOIN [('read', read), ('write', written)] AS flow
ARRAY JOIN range(toUInt64(intDiv(began, width)), toUInt64(intDiv(till, width)) + 1) AS bucket
GROUP BY time, job, direction
-- where a job moved nothing its line has a gap: rows without a value
ORDER BY job, direction, time WITH FILL STEP toIntervalSecond(ifNull(width, 1))
