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
        WHERE bucket_start >= whole.since - INTERVAL 1 HOUR AND bucket_start < whole.until + INTERVAL 1 HOUR
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
    ) AS width
SELECT
    toStartOfInterval(moment, toIntervalSecond(width)) AS time,
    whole.user AS user,
    whole.account AS account,
    cluster,
    series,
    sum(bytes) / width / 1048576 AS mib_per_second
FROM
(
    SELECT
        cluster,
        addMicroseconds(start_time, toInt64(1e6 * BIN * BIN_WIDTH_SECONDS)) AS moment,
        moved.1 AS series,
        moved.2 AS bytes
    FROM bins
    ARRAY JOIN [('this reads', toFloat64(BYTES_READ)), ('this writes', toFloat64(BYTES_WRITTEN))] AS moved
    UNION ALL
    -- whole intervals, of which the run may have begun or ended within
    SELECT cluster, bucket_start, moved.1, moved.2
    FROM load
    ARRAY JOIN [('all read of the file system', bytes_read), ('all write to the file system', bytes_written)] AS moved
    WHERE bucket_start >= toStartOfInterval(whole.since, toIntervalSecond(width)) AND toStartOfInterval(bucket_start, toIntervalSecond(width)) < whole.until
)
GROUP BY time, cluster, series
