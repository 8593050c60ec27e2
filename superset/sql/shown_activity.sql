-- What the run, or the job's runs, moved over time, as Darshan's heat map has it, and what all moved on the file system.
WITH
    shown AS
    (
        SELECT cluster, log_id, start_time, {{ active_until }} AS ended, user, account, filesystem
        FROM runs
        WHERE {{ shown }}
    ),
    (
        SELECT
            toNullable(min(start_time)) AS since,
            toNullable(max(ended)) AS until,
            ifNull(any(user), '(unknown)') AS user,
            ifNull(any(account), '(unknown)') AS account
        FROM shown
    ) AS whole,
    bins AS
    (
        SELECT *
        FROM heatmap_bins
        WHERE name IN ('heatmap:POSIX', 'heatmap:STDIO')
            AND (cluster, log_id, start_time) IN (SELECT cluster, log_id, start_time FROM shown)
    ),
    load AS
    (
        SELECT cluster, bucket_start, bucket_seconds, bytes_read, bytes_written
        FROM filesystem_load
        WHERE bucket_start >= whole.since - INTERVAL 1 DAY AND bucket_start < whole.until + INTERVAL 1 DAY
            AND (cluster, filesystem) IN (SELECT cluster, assumeNotNull(filesystem) FROM shown WHERE filesystem IS NOT NULL)
    ),
    -- no finer than what was recorded
    (
        SELECT
            -- a log or a sample can say any width
            greatest(1, arrayFirst(
                seconds -> seconds >= greatest(
                    ifNull(dateDiff('second', whole.since, whole.until), 0) / 120,
                    (SELECT max(BIN_WIDTH_SECONDS) FROM bins),
                    (SELECT max(bucket_seconds) FROM load)
                ),
                {{ intervals }}
            ))
    ) AS width,
    -- microseconds, of which a log or a sample can say any number
    toInt64(1e6 * width) AS long,
    pieces AS
    (
        SELECT
            cluster,
            moved.1 AS series,
            toUnixTimestamp64Micro(start_time) + toInt64(1e6 * BIN * BIN_WIDTH_SECONDS) AS began,
            if(BIN_WIDTH_SECONDS BETWEEN 1e-6 AND width, toInt64(1e6 * BIN_WIDTH_SECONDS), long) AS lasted,
            moved.2 AS bytes
        FROM bins
        ARRAY JOIN [('this reads', toFloat64(BYTES_READ)), ('this writes', toFloat64(BYTES_WRITTEN))] AS moved
        UNION ALL
        SELECT
            cluster,
            moved.1,
            toUnixTimestamp64Micro(bucket_start),
            if(bucket_seconds BETWEEN 1e-6 AND width, toInt64(1e6 * bucket_seconds), long),
            moved.2
        FROM load
        ARRAY JOIN [('all read of the file system', bytes_read), ('all write to the file system', bytes_written)] AS moved
    )
-- what was moved in a piece is spread evenly over the two intervals that it may touch
SELECT
    toDateTime(part.1 * width, 'UTC') AS time,
    whole.user AS user,
    whole.account AS account,
    cluster,
    series,
    sum(part.2) / width / 1048576 AS mib_per_second
FROM
(
    SELECT
        cluster,
        series,
        bytes,
        intDiv(began, long) AS number,
        greatest(0, began + lasted - long * (number + 1)) / lasted AS share_of_next
    FROM pieces
)
ARRAY JOIN [(number, bytes * (1 - share_of_next)), (number + 1, bytes * share_of_next)] AS part
WHERE (part.1 = number OR share_of_next > 0)
    -- whole intervals of the load, of which the run may have begun or ended within
    AND
    (
        startsWith(series, 'this')
        OR toUnixTimestamp64Micro(whole.since) < (part.1 + 1) * long AND part.1 * long < toUnixTimestamp64Micro(whole.until)
    )
GROUP BY time, cluster, series
