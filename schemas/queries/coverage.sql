/*
title: How far the I/O of jobs is known
question: Of how many jobs is the I/O known, in part or not at all, by month?
*/
SELECT
    cluster,
    toStartOfMonth(submit_time) AS month,
    coverage,
    count() AS jobs,
    round(sum(ifNull(node_hours, 0)), 1) AS node_hours,
    round(jobs / sum(count()) OVER (PARTITION BY cluster, toStartOfMonth(submit_time)), 3) AS share
FROM job_results
WHERE submit_time >= {since:DateTime64(6, 'UTC')} AND submit_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, month, coverage
ORDER BY cluster, month, jobs DESC, coverage
