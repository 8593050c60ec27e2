-- Jobs as the scheduler reports them; a job's time is its end, or its submission while it has not ended.
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
        FROM scheduler_jobs_versions
    ) AS width
SELECT
    ifNull(end_time, submit_time) AS time,
    toStartOfInterval(time, toIntervalSecond(width)) AS bucket,
    cluster,
    state,
    state_rank,
    end_time IS NOT NULL AS ended
FROM scheduler_jobs
WHERE time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }}
    -- what the table's key and its index of ends know
    AND submit_time < '{{ until }}' AND (end_time >= '{{ since }}' OR end_time IS NULL)
