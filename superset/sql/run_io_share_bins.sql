{% set columns = {'account': "ifNull(account, '(unknown)')", 'job': 'toString(job_id)', 'exe': 'exe', 'filesystem': "ifNull(filesystem, '(none)')"} %}
-- How many runs had which share of I/O: tenths without runs keep their place on the axis.
-- Runs are counted by user and by what the page is filtered by, so that the answer stays small.
WITH counted AS
(
    SELECT
        max(start_time) AS time,
        ifNull(user, '(unknown)') AS user,
{% for name in columns if filter_values(name) %}
        {{ columns[name] }} AS {{ name }},
{% endfor %}
        least(9, toUInt8(floor(10 * least(1, io_share)))) AS own,
        count() AS number
    FROM runs
    WHERE io_share IS NOT NULL AND start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
    GROUP BY ALL
)
SELECT
    time,
    user,
    {{ center }} AS cluster,
{% for name in columns %}
    {{ name if filter_values(name) else "''" }} AS {{ name }},
{% endfor %}
    arrayJoin(range(10)) AS tenth,
    tenth / 10 AS io_share_from,
    if(tenth = own, number, 0) AS runs
FROM counted
