-- The run, or the runs of the job, that the page shows.
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    cluster,
    log_id,
    substring(log_id, 1, 8) AS log,
    program,
    nprocs,
    ifNull(filesystem, '(none)') AS filesystem,
    run_time_seconds,
    bytes_read,
    bytes_written,
    mib_per_second,
    if(runs.io_share > 1, 1, runs.io_share) AS io_share, -- not least(), which passes over what is not known
    time_lost_seconds,
    replaceAll(verdict, '_', ' ') AS verdict,
    verdict_reason,
    arrayStringConcat(findings, ', ') AS findings
FROM runs
WHERE {{ shown }}
