{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Each run once for every tenth, counting in its own: tenths without runs keep their place on the axis.
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    toString(job_id) AS job,
    exe,
    ifNull(filesystem, '(none)') AS filesystem,
    arrayJoin(range(10)) AS tenth,
    tenth / 10 AS io_share_from,
    tenth = least(9, toUInt8(floor(10 * least(1, io_share)))) AS runs
FROM runs
WHERE io_share IS NOT NULL AND start_time >= '{{ since }}' AND start_time < '{{ until }}'
