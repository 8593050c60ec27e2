WITH
    -- the finest bucket with which what there is in the range still fits on the axis; the first and last times of a table
    -- stand in its parts, nothing is read
    (
        SELECT
            arrayFirst(
                seconds -> dateDiff(
                    'second', greatest(min(start_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(start_time), toDateTime64('{{ until }}', 6, 'UTC'))
                ) <= 60 * seconds,
                [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800, 2592000, 7776000, 31536000]
            )
        FROM runs_versions
    ) AS width
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    cluster,
    ifNull(account, '(unknown)') AS account,
    toString(job_id) AS job,
    exe,
    ifNull(filesystem, '(none)') AS filesystem,
    toStartOfInterval(start_time, toIntervalSecond(width)) AS bucket,
    log_id,
    job_uid,
    substring(log_id, 1, 8) AS log,
    job_join,
    log_state,
    nprocs,
    run_nodes,
    nodes,
    run_time_seconds,
    bytes_read,
    bytes_written,
    io_time_seconds,
    mib_per_second,
    mib_per_second_per_node,
    least(1, io_share) AS io_share,
    metadata_share,
    time_lost_seconds,
    node_hours_lost,
    ifNull(slow, 0) AS slow,
    replaceAll(verdict, '_', ' ') AS verdict,
    verdict_reason,
    arrayStringConcat(findings, ', ') AS findings
FROM runs
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center_in('runs_versions') }}
