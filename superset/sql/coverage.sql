-- The coverage ledger: what became of each job that ended, and of each log that no job claims.
SELECT
    coalesce(end_time, start_time, submit_time) AS time,
    cluster,
    {{ coverage_in_words() }} AS coverage,
    toUInt64(1) AS number
FROM job_results
WHERE time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }}
    -- what the table's key and its index of ends know
    AND submit_time < '{{ until }}' AND (end_time >= '{{ since }}' OR end_time IS NULL)
UNION ALL
SELECT time, cluster, concat('log ', replaceAll(job_join, '_', ' ')) AS coverage, runs AS number
FROM run_totals(since = '{{ since }}', until = '{{ until }}')
WHERE job_join != 'joined' AND {{ of_center }}
