{% set columns = {'job': 'toString(job_id)', 'exe': 'exe', 'filesystem': "ifNull(filesystem, '(none)')"} %}
-- How many runs had which rate: bins without runs keep their place on the axis.
-- Runs are counted by user and project, of which a reader sees some, and by what the page is filtered by, so that the answer stays small.
WITH
    {{ rate_bins }} AS bins,
    counted AS
    (
        SELECT
            max(start_time) AS time,
            user,
            account,
{% for name in columns if filter_values(name) %}
            {{ columns[name] }} AS {{ name }},
{% endfor %}
            -- by the place of the bin
            countResample(0, 13, 1)(toUInt8(transform(roundDown(assumeNotNull(mib_per_second), bins), bins, range(13)))) AS numbers
        FROM runs
        WHERE mib_per_second > 0 AND start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
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
    bin.1 AS mib_per_second_from,
    bin.2 AS runs
FROM counted
ARRAY JOIN arrayZip(bins, numbers) AS bin
