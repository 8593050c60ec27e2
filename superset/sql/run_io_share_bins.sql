{% set columns = {'job': 'toString(job_id)', 'exe': 'exe', 'filesystem': "ifNull(filesystem, '(none)')"} %}
-- How many runs had which share of I/O: tenths without runs keep their place on the axis.
-- Runs are counted by user and project, of which a reader sees some, and by what the page is filtered by, so that the answer stays small.
WITH counted AS
(
    SELECT
        max(start_time) AS time,
        user,
        account,
{% for name in columns if filter_values(name) %}
        {{ columns[name] }} AS {{ name }},
{% endfor %}
        countResample(0, 10, 1)(least(9, toUInt8(floor(10 * least(1, assumeNotNull(io_share)))))) AS numbers
    FROM runs
    WHERE io_share IS NOT NULL AND start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
    GROUP BY ALL
)
SELECT
    time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    {{ center }} AS cluster,
{% for name in columns %}
    {{ name if filter_values(name) else "''" }} AS {{ name }},
{% endfor %}
    (tenth.1 - 1) / 10 AS io_share_from,
    tenth.2 AS runs
FROM counted
ARRAY JOIN arrayZip(range(1, 11), numbers) AS tenth
