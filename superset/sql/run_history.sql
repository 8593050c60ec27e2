-- Runs of the same user and program on the same file system, from a quarter before this one to a quarter after it.
WITH
    shown AS
    (
        SELECT cluster, log_id, start_time, user, program, filesystem, direction
        FROM runs
        WHERE {{ of_run }}
    ),
    (SELECT toNullable(any(start_time)) FROM shown) AS at
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    cluster,
    log_id,
    if(log_id IN (SELECT log_id FROM shown), 'this run', if(slow, 'other runs, slow', 'other runs')) AS which,
    mib_per_second
FROM runs
WHERE start_time > at - INTERVAL 90 DAY AND start_time < at + INTERVAL 90 DAY AND mib_per_second > 0
    AND (cluster, ifNull(user, ''), program, ifNull(filesystem, ''), direction) IN
    (
        SELECT cluster, ifNull(user, ''), program, ifNull(filesystem, ''), direction FROM shown
    )
