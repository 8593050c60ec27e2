-- What the jobs of each project cost, without users. A project of one or two people would name them by what it does: such
-- projects are added up.
WITH
    -- the finest bucket with which what there is in the range still fits on the axis; the first and last times of a table
    -- stand in its parts, nothing is read
    (
        SELECT
            arrayFirst(
                seconds -> dateDiff(
                    'second', greatest(min(submit_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(submit_time), toDateTime64('{{ until }}', 6, 'UTC'))
                ) <= 60 * seconds,
                [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800, 2592000, 7776000, 31536000]
            )
        FROM job_results_versions
    ) AS width,
    totals AS
    (
        SELECT
            toStartOfInterval(coalesce(start_time, submit_time), toIntervalSecond(width)) AS bucket,
            cluster,
            ifNull(account, '(unknown)') AS project,
            uniqExactState(user) AS people,
            count() AS jobs,
            sum(ifNull(node_hours, 0)) AS hours,
            sum(ifNull(node_hours_lost, 0)) AS lost,
            sum(bytes_read) AS read,
            sum(bytes_written) AS written
        FROM job_results
        WHERE coalesce(start_time, submit_time) >= '{{ since }}' AND coalesce(start_time, submit_time) < '{{ until }}' AND {{ of_center }}
            -- what the table's key and its index of starts know
            AND submit_time < '{{ until }}' AND (start_time >= '{{ since }}' OR start_time IS NULL)
        GROUP BY bucket, cluster, project
    )
SELECT
    bucket AS time,
    cluster,
    if(of_many, project, '(projects of fewer than 3 users)') AS account,
    sum(each.jobs) AS jobs,
    sum(hours) AS node_hours,
    sum(lost) AS node_hours_lost,
    toFloat64(sum(read)) AS bytes_read,
    toFloat64(sum(written)) AS bytes_written
FROM
(
    SELECT *, uniqExactMerge(people) OVER (PARTITION BY cluster, project) >= 3 AS of_many
    FROM totals
) AS each
GROUP BY time, cluster, account
