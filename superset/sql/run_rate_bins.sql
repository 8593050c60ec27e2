{% set columns = {'account': "ifNull(account, '(unknown)')", 'job': 'toString(job_id)', 'exe': 'exe', 'filesystem': "ifNull(filesystem, '(none)')"} %}
-- How many runs had which rate: bins without runs keep their place on the axis.
-- Runs are counted by user and by what the page is filtered by, so that the answer stays small.
WITH counted AS
(
    SELECT
        max(start_time) AS time,
        ifNull(user, '(unknown)') AS user,
{% for name in columns if filter_values(name) %}
        {{ columns[name] }} AS {{ name }},
{% endfor %}
        roundDown(assumeNotNull(mib_per_second), [0.01, 0.1, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000]) AS own,
        count() AS number
    FROM runs
    WHERE mib_per_second > 0 AND start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
    GROUP BY ALL
)
SELECT
    time,
    user,
    {{ center }} AS cluster,
{% for name in columns %}
    {{ name if filter_values(name) else "''" }} AS {{ name }},
{% endfor %}
    arrayJoin([0.01, 0.1, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000]) AS mib_per_second_from,
    if(mib_per_second_from = own, number, 0) AS runs
FROM counted
