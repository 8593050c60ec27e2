-- Runs that were active while this one was, on its devices where these are known, else on its file system. Of a run that began
-- more than a week earlier nothing is said.
WITH
    shown AS
    (
        SELECT cluster, log_id, start_time, end_time, filesystem, load_devices
        FROM runs
        WHERE {{ of_run }}
    ),
    (SELECT toNullable(any(start_time)) AS began, toNullable(any(end_time)) AS ended, any(load_devices) AS devices FROM shown) AS run,
    run.began AS since,
    run.ended AS until,
    run.devices AS devices
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    cluster,
    log_id,
    substring(log_id, 1, 8) AS log,
    program,
    nprocs,
    dateDiff('second', greatest(start_time, since), least(end_time, until)) AS seconds_together,
    length(arrayIntersect(load_devices, devices)) AS devices_shared,
    bytes_read,
    bytes_written,
    replaceAll(verdict, '_', ' ') AS verdict
FROM runs
WHERE start_time < until AND end_time > since AND start_time > since - INTERVAL 7 DAY
    AND (cluster, ifNull(filesystem, '')) IN (SELECT cluster, ifNull(filesystem, '') FROM shown)
    AND log_id NOT IN (SELECT log_id FROM shown)
    AND (empty(devices) OR empty(load_devices) OR hasAny(load_devices, devices))
