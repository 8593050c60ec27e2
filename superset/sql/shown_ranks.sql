-- Which processes moved bytes when: Darshan's heat map, at most 64 groups of ranks by 60 intervals.
WITH
    shown AS
    (
        SELECT cluster, log_id, start_time, user, account, nprocs, run_time_seconds
        FROM runs
        WHERE {{ shown_best }}
    ),
    (
        SELECT
            ifNull(any(user), '(unknown)') AS user,
            ifNull(any(account), '(unknown)') AS account,
            toUInt64(greatest(1, ceil(max(nprocs) / 64))) AS ranks,
            length(toString(max(nprocs))) AS digits
        FROM shown
    ) AS run,
    run.ranks AS ranks,
    run.digits AS digits,
    bins AS
    (
        SELECT *
        FROM heatmap_bins
        WHERE rank >= 0 AND name IN ('heatmap:POSIX', 'heatmap:STDIO')
            AND (cluster, log_id, start_time) IN (SELECT cluster, log_id, start_time FROM shown)
    ),
    (SELECT (toUInt64(greatest(1, ceil((max(BIN) + 1) / 60))), max(BIN_WIDTH_SECONDS)) FROM bins) AS axis
SELECT
    min(start_time) AS time,
    run.user AS user,
    run.account AS account,
    cluster,
    -- labels that sort by time
    printf('%9.1f s', intDiv(BIN, axis.1) * axis.1 * axis.2) AS after_start,
    if(
        ranks = 1,
        leftPad(toString(rank), digits, '0'),
        concat(leftPad(toString(intDiv(rank, ranks) * ranks), digits, '0'), ' to ', leftPad(toString((intDiv(rank, ranks) + 1) * ranks - 1), digits, '0'))
    ) AS rank_group,
    sum(BYTES_READ + BYTES_WRITTEN) / 1048576 AS mib
FROM bins
GROUP BY cluster, after_start, rank_group
