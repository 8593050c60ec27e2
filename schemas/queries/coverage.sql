/*
title: How far the I/O of jobs is known
question: Of how many jobs is the I/O known, in part or not at all, by month?
example: |
  cluster,month,coverage,jobs,node_hours,share
  c,2026-05-01,instrumented,2,30,0.667
  c,2026-05-01,not_instrumented,1,5,0.333
  c,2026-06-01,not_instrumented,1,0,1
*/
SELECT
    cluster,
    toStartOfMonth(time) AS month,
    coverage,
    sum(totals.jobs) AS jobs,
    round(sum(totals.node_hours), 1) AS node_hours,
    round(jobs / sum(sum(totals.jobs)) OVER (PARTITION BY cluster, toStartOfMonth(time)), 3) AS share
FROM job_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, month, coverage
ORDER BY cluster, month, jobs DESC, coverage
