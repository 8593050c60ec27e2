-- Runs that met a slow target, or devices that others kept busy, or that put too many stripes on a target themselves.
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
    toStartOfInterval(start_time, toIntervalSecond(width)) AS bucket,
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
FROM runs
ARRAY JOIN arrayIntersect(findings, ['slow_target', 'device_contention', 'target_overload']) AS found
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
