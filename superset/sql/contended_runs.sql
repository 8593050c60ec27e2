-- Runs that met a slow target, or devices that others kept busy, or that put too many stripes on a target themselves, by the target;
-- whole days of a range are added up.
SELECT
    time,
    cluster,
    user,
    account,
    filesystem,
    program,
    {{ target_was }} AS met,
    {{ target_of_its_filesystem }} AS target,
    runs,
    lowest_ratio AS target_ratio,
    node_hours_lost,
    last_start
FROM target_totals(since = '{{ since }}', until = '{{ until }}')
WHERE {{ of_center }}
