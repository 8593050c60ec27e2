-- Jobs as the scheduler reports them; a job's time is its end, or its submission, or the begin of the range if that is later, while it has not ended.
WITH
    (SELECT {{ finest(60, 'submit_time') }} FROM scheduler_jobs_versions) AS width
SELECT
    ifNull(end_time, greatest(submit_time, toDateTime64('{{ since }}', 6, 'UTC'))) AS time,
    toStartOfInterval(time, toIntervalSecond(width)) AS bucket,
    cluster,
    state,
    state_rank,
    end_time IS NOT NULL AS ended
FROM scheduler_jobs
WHERE time < '{{ until }}' AND {{ of_center }}
    -- what the table's key and its index of ends know
    AND submit_time < '{{ until }}' AND (end_time >= '{{ since }}' OR end_time IS NULL)
    AND (ended OR ifNull({{ ended_at_latest }} >= least(toDateTime64('{{ until }}', 6, 'UTC'), now64(6)), 1))
