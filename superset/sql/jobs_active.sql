-- Jobs that wait and that run, as the mean over each interval: every start counts +1 and every end -1, in their own
-- interval for the rest of it only, so that jobs shorter than an interval still count.
WITH
    toDateTime64('{{ since }}', 6, 'UTC') AS since,
    least(toDateTime64('{{ until }}', 6, 'UTC'), now64(6)) AS until,
    -- the finest bucket with which what there is in the range still fits on the axis, and its beginning; the first and last
    -- times of a table stand in its parts, nothing is read
    (
        SELECT
        (
            arrayFirst(
                seconds -> dateDiff('second', greatest(min(submit_time), since), until) <= 120 * seconds,
                {{ intervals }}
            ),
            greatest(min(submit_time), since)
        )
        FROM scheduler_jobs_versions
    ) AS axis,
    -- moments as whole milliseconds since the first interval began; the engine holds a subquery's value for one that may be NULL,
    -- which would be true of each number that is made with it, and take twice as long
    toStartOfInterval(axis.2, toIntervalSecond(axis.1)) AS first,
    assumeNotNull(1000 * toInt64(toUnixTimestamp(first))) AS first_millis,
    toUnixTimestamp64Milli(since) - first_millis AS since_millis,
    assumeNotNull(1000 * toInt64(axis.1)) AS width_millis,
    -- what has not come yet is in interval -1
    jobs AS
    (
        SELECT
            isNull(scheduler_jobs.start_time) AS never_ran,
            {{ ended_at_latest }} AS over,
            isNull(over) AS has_no_end,
            toUnixTimestamp64Milli(assumeNotNull(scheduler_jobs.start_time)) - first_millis AS start_millis,
            toUnixTimestamp64Milli(assumeNotNull(over)) - first_millis AS end_millis,
            greatest(toUnixTimestamp64Milli(submit_time) - first_millis, since_millis) AS submitted,
            if(never_ran AND has_no_end, -width_millis, greatest(if(never_ran, end_millis, start_millis), since_millis)) AS waited,
            if(never_ran, -width_millis, waited) AS started,
            if(never_ran OR has_no_end, -width_millis, end_millis) AS ended
        FROM scheduler_jobs
        WHERE submit_time < until AND {{ of_center }} AND (end_time IS NULL OR end_time >= since) AND ifNull(over >= since, 1)
    ),
    -- counted by the intervals in which these four moments lie
    grouped AS
    (
        SELECT
            [
                (intDiv(submitted, width_millis), 'waiting', 1, sum(submitted)),
                (intDiv(waited, width_millis), 'waiting', -1, sum(waited)),
                (intDiv(started, width_millis), 'running', 1, sum(started)),
                (intDiv(ended, width_millis), 'running', -1, sum(ended))
            ] AS changes,
            toInt64(count()) AS number,
            greatest(max(submitted), max(started), max(ended)) AS newest
        FROM jobs
        GROUP BY intDiv(submitted, width_millis), intDiv(waited, width_millis), intDiv(started, width_millis), intDiv(ended, width_millis)
    ),
    steps AS
    (
        SELECT
            first + toIntervalSecond(change.1 * axis.1) AS time,
            change.2 AS phase,
            change.3 * number AS steps,
            -- the parts of the interval that were over by then
            change.3 * (change.4 / width_millis - number * change.1) AS before_them,
            fromUnixTimestamp64Milli(first_millis + newest, 'UTC') AS newest
        FROM grouped
        ARRAY JOIN changes AS change
        WHERE change.1 >= 0 AND time < until
        UNION ALL
        SELECT
            first + toIntervalSecond(number * axis.1) AS time,
            arrayJoin(['waiting', 'running']) AS phase,
            0 AS steps,
            0 AS before_them,
            toDateTime64(0, 3, 'UTC') AS newest
        FROM numbers(122)
        WHERE time < until
    )
SELECT time, {{ center }} AS cluster, phase, jobs
FROM
(
    SELECT
        time,
        phase,
        sum(sum(steps)) OVER (PARTITION BY phase ORDER BY time) - sum(before_them) AS jobs,
        -- while a job waits or runs, up to now
        if(sum(sum(steps)) OVER () > 0, until, max(max(newest)) OVER ()) AS last
    FROM steps
    GROUP BY time, phase
)
-- what was before the range is not looked at, so that an interval with some of it has no mean
WHERE time >= since AND time <= last
