-- Runs that met a slow target, or devices that others kept busy, or that put too many stripes on a target themselves, by the target;
-- whole days of a range are added up.
SELECT
    time,
    cluster,
    user,
    account,
    filesystem,
    program,
    transform(
        rule_id,
        ['slow_target', 'device_contention', 'target_overload'],
        ['slow target', 'busy with others', 'overloaded by the run'],
        ''
    ) AS met,
    -- an index is one of its file system
    if(rule_id = 'slow_target', concat(filesystem, ' ', target), target) AS target,
    runs,
    lowest_ratio AS target_ratio,
    node_hours_lost,
    last_start
FROM target_totals(since = '{{ since }}', until = '{{ until }}')
WHERE {{ of_center }}
