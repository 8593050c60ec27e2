-- Runs that met a slow target, or devices that others kept busy, or that put too many stripes on a target themselves.
SELECT
    start_time AS time,
    cluster,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    ifNull(filesystem, '(none)') AS filesystem,
    program,
    transform(
        found,
        ['slow_target', 'device_contention', 'target_overload'],
        ['slow target', 'busy with others', 'overloaded by the run'],
        found
    ) AS met,
    multiIf(
        found = 'slow_target', concat('OST ', toString(toInt64(ifNull(slowest_target, -1)))),
        found = 'device_contention', ifNull(load_busiest_device, '(unknown)'),
        '(several)'
    ) AS target,
    slowest_target_ratio AS target_ratio,
    node_hours_lost
FROM
(
    SELECT *
    FROM runs
    WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
        AND hasAny(findings, ['slow_target', 'device_contention', 'target_overload'])
)
ARRAY JOIN arrayIntersect(findings, ['slow_target', 'device_contention', 'target_overload']) AS found
