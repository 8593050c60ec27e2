-- Runs that began in the range, with what they moved.
SELECT
    start_time AS time,
    cluster,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    program,
    ifNull(filesystem, '(none)') AS filesystem,
    toString(job_id) AS job,
    job_uid,
    log_id,
    substring(log_id, 1, 8) AS log,
    nprocs,
    bytes_read,
    bytes_written,
    ifNull(bytes_read, 0) + ifNull(bytes_written, 0) AS bytes_moved,
    io_time_seconds,
    replaceAll(verdict, '_', ' ') AS verdict
FROM runs
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center_in('runs_versions') }}
