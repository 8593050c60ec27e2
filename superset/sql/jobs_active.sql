{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Jobs that wait and that run, as the mean over each interval: every start counts +1 and every end -1, in their own
-- interval for the rest of it only, so that jobs shorter than an interval still count.
WITH
    toDateTime64('{{ since }}', 6, 'UTC') AS since,
    least(toDateTime64('{{ until }}', 6, 'UTC'), now64(6)) AS until,
    changes AS
    (
        SELECT greatest(change.1, since) AS moment, change.2 AS state, change.3 AS step
        FROM scheduler_jobs
        ARRAY JOIN [
            (submit_time, 'waiting', 1),
            (coalesce(start_time, end_time, until), 'waiting', -1),
            (coalesce(start_time, until), 'running', start_time IS NOT NULL),
            (coalesce(end_time, until), 'running', -(start_time IS NOT NULL))
        ] AS change
        WHERE submit_time < until AND (end_time IS NULL OR end_time >= since)
    ),
    (SELECT (min(moment), least(until, max(moment)), count()) FROM changes) AS span,
    span.1 AS first,
    span.2 AS last,
    arrayFirst(
        seconds -> dateDiff('second', first, last) <= 120 * seconds,
        [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800]
    ) AS width,
    steps AS
    (
        SELECT
            toStartOfInterval(moment, toIntervalSecond(width)) AS time,
            state,
            step,
            step * (1 - dateDiff('millisecond', toDateTime64(time, 6, 'UTC'), moment) / 1000 / width) AS own_part
        FROM changes
        WHERE moment <= last
        UNION ALL
        SELECT
            toStartOfInterval(first, toIntervalSecond(width)) + toIntervalSecond(number * width) AS time,
            arrayJoin(['waiting', 'running']) AS state,
            0 AS step,
            0 AS own_part
        FROM numbers(122)
        WHERE span.3 > 0 AND time <= last
    )
SELECT
    time,
    state,
    sum(sum(step)) OVER (PARTITION BY state ORDER BY time) - sum(step) + sum(own_part) AS jobs
FROM steps
GROUP BY time, state
