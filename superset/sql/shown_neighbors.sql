-- Runs that were active while those that the page shows were, on their devices where these are known, else on their file system.
WITH
    {{ when_shown }}
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    cluster,
    log_id,
    substring(log_id, 1, 8) AS log,
    program,
    nprocs,
    dateDiff('second', greatest(start_time, whole.since), least({{ active_until }}, whole.until)) AS seconds_together,
    if(empty(load_devices) OR empty(whole.devices), NULL, length(arrayIntersect(load_devices, whole.devices))) AS devices_shared,
    ifNull(bytes_read, 0) + ifNull(bytes_written, 0) AS bytes_moved,
    bytes_read,
    bytes_written,
    replaceAll(verdict, '_', ' ') AS verdict
FROM runs
WHERE {{ meanwhile }}
