-- Bytes of the jobs that moved most, in the buckets in which they moved them: what lies between two looks is spread evenly.
WITH
    (SELECT {{ finest(120, 'time') }} FROM job_live_versions) AS width,
    -- the first look of each bucket: a count grows, so that those between add nothing. A look never changes, so that one
    -- that landed twice does not matter here, and FINAL has nothing to do
    kept AS
    (
        SELECT
            cluster,
            job_id,
            ifNull(array_index, -1) AS task,
            server,
            target,
            job_key,
            toUnixTimestamp64Micro(min(job_live_versions.time)) / 1e6 AS till,
            ifNull(argMin(bytes_read, job_live_versions.time), 0) AS read,
            ifNull(argMin(bytes_written, job_live_versions.time), 0) AS written
        FROM job_live_versions
        WHERE is_deleted = 0 AND time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }} AND toUnixTimestamp(time) % width < greatest(60, width / 10)
        GROUP BY cluster, job_id, task, server, target, job_key, intDiv(toUnixTimestamp(job_live_versions.time), width)
    ),
    {{ ranked_by_bytes('job_id, task', 'cluster, job_id, task, server, target, job_key') }},
    rates AS
    (
        SELECT
            if(rank <= 5, {{ job_and_task }}, 'others') AS job_or_others,
            move.1 AS began,
            move.2 AS till,
            sum(move.3) / (till - began) AS read,
            sum(move.4) / (till - began) AS written
        FROM ranked
        ARRAY JOIN moves AS move
        GROUP BY job_or_others, began, till
    )
SELECT
    toDateTime(bucket * width, 'UTC') AS time,
    {{ center }} AS cluster,
    job_or_others AS job,
    flow.1 AS direction,
    toNullable(sum(flow.2 * (least(till, toFloat64((bucket + 1) * width)) - greatest(began, toFloat64(bucket * width))))) AS bytes,
    toNullable(any(width)) AS bucket_seconds
FROM rates
ARRAY JOIN [('read', read), ('write', written)] AS flow
ARRAY JOIN range(toUInt64(intDiv(began, width)), toUInt64(intDiv(till, width)) + 1) AS bucket
-- an interval shows if it began in the range, once it is over and the first look behind it has come
WHERE bucket * width >= toUnixTimestamp(toDateTime64('{{ since }}', 6, 'UTC')) AND (bucket + 1) * width <= (SELECT toUnixTimestamp(least(max(time), toDateTime64('{{ until }}', 6, 'UTC') - toIntervalSecond(least(width, 60)))) FROM job_live_versions)
GROUP BY time, job, direction
-- where a job moved nothing its line has a gap: rows without a value
ORDER BY job, direction, time WITH FILL STEP toIntervalSecond(ifNull(width, 1))
