-- Slow runs for which the storage, or the storage and the program, are responsible.
SELECT
    start_time AS time,
    cluster,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    ifNull(filesystem, '(none)') AS filesystem,
    toString(job_id) AS job,
    ifNull(job_uid, '') AS job_uid,
    log_id,
    substring(log_id, 1, 8) AS log,
    program,
    replaceAll(verdict, '_', ' ') AS verdict,
    node_hours_lost,
    time_lost_seconds,
    load_util_mean,
    load_busiest_device,
    verdict_reason
FROM runs
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }} AND slow = 1 AND runs.verdict IN ('storage', 'both')
