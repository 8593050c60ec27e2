-- What the jobs of each project cost, without users, whole days added up. A project of one or two people would name them by
-- what it does: such projects are added up, and left out where these are one or two people as well.
WITH
    -- days up to a month of what there is in the range, weeks up to half a year, else months; the first and last times of
    -- a table stand in its parts, nothing is read
    (
        SELECT dateDiff('day', greatest(min(submit_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(submit_time), toDateTime64('{{ until }}', 6, 'UTC')))
        FROM job_results_versions
    ) AS days,
    totals AS
    (
        SELECT
            toDateTime(multiIf(days <= 31, toStartOfDay(time), days <= 183, toStartOfWeek(time, 1), toStartOfMonth(time)), 'UTC') AS period,
            cluster,
            account AS project,
            max(time) AS newest,
            uniqExactStateIf(user, user != '(unknown)') AS people,
            sum(jobs) AS number,
            sum(node_hours) AS hours,
            -- what a job used is known once it is over
            sumIf(node_hours_lost, coverage != 'running') AS lost,
            sum(bytes_read) AS read,
            sum(bytes_written) AS written
        FROM job_totals(since = '{{ since }}', until = '{{ until }}')
        WHERE {{ of_center }}
        GROUP BY period, cluster, project
    )
SELECT
    max(newest) AS time,
    period,
    cluster,
    if(of_many, project, '(projects of fewer than 3 users)') AS account,
    sum(number) AS jobs,
    sum(hours) AS node_hours,
    sum(lost) AS node_hours_lost,
    toFloat64(sum(read)) AS bytes_read,
    toFloat64(sum(written)) AS bytes_written
FROM
(
    SELECT *, uniqExactMerge(people) OVER (PARTITION BY cluster, of_many) AS people_of_all
    FROM (SELECT *, uniqExactMerge(people) OVER (PARTITION BY cluster, project) >= 3 AS of_many FROM totals)
)
WHERE of_many OR people_of_all NOT IN (1, 2)
GROUP BY period, cluster, account
