{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Each run once for every bin, counting in its own: bins without runs keep their place on the axis.
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    toString(job_id) AS job,
    exe,
    ifNull(filesystem, '(none)') AS filesystem,
    arrayJoin([0.01, 0.1, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000]) AS mib_per_second_from,
    arrayMax(edge -> if(edge <= mib_per_second, edge, 0.01), [0.01, 0.1, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000]) AS own,
    mib_per_second_from = own AS runs
FROM runs
WHERE mib_per_second > 0 AND start_time >= '{{ since }}' AND start_time < '{{ until }}'
