{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Jobs that wait and that run at each point of a grid, from their starts and ends as +1 and -1.
WITH
    toDateTime64('{{ since }}', 6, 'UTC') AS since,
    least(toDateTime64('{{ until }}', 6, 'UTC'), now64(6)) AS until,
    changes AS
    (
        SELECT change.1 AS moment, change.2 AS state, change.3 AS step
        FROM scheduler_jobs
        ARRAY JOIN [
            (submit_time, 'waiting', 1),
            (coalesce(start_time, end_time, until), 'waiting', -1),
            (coalesce(start_time, end_time, until), 'running', if(start_time IS NULL, 0, 1)),
            (if(start_time IS NULL, until, coalesce(end_time, until)), 'running', if(start_time IS NULL, 0, -1))
        ] AS change
        WHERE submit_time < until AND (end_time IS NULL OR end_time >= since)
    ),
    (SELECT greatest(since, min(moment)) FROM changes) AS first,
    (SELECT least(until, max(moment)) FROM changes) AS last,
    (
        SELECT arrayFirst(seconds -> dateDiff('second', first, last) <= 240 * seconds,
            [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800])
    ) AS width,
    steps AS
    (
        SELECT toStartOfInterval(greatest(moment, first), toIntervalSecond(width)) AS time, state, sum(step) AS step
        FROM changes
        WHERE moment <= last
        GROUP BY time, state
        UNION ALL
        SELECT
            toStartOfInterval(first, toIntervalSecond(width)) + toIntervalSecond(number * width) AS time,
            arrayJoin(['waiting', 'running']) AS state,
            0 AS step
        FROM numbers(242)
        WHERE (SELECT count() FROM changes) > 0 AND time <= last
    )
SELECT
    time,
    state,
    sum(sum(step)) OVER (PARTITION BY state ORDER BY time) AS jobs
FROM steps
GROUP BY time, state
