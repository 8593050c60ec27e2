/*
title: I/O of jobs that failed
question: How many node-hours and bytes went into jobs that completed, failed, were cancelled or ran out of time?
note: Bytes are those of the runs whose logs are there; many jobs that were killed leave none. Jobs count by their start,
  or by their submission while they have none.
example: |
  cluster,state,jobs,share_of_jobs,node_hours,tib_read,tib_written,jobs_without_log
  c,failed,2,0.5,25,0,1,1
  c,completed,1,0.25,10,1,2,0
  c,timeout,1,0.25,0,0,0,1
*/
SELECT
    cluster,
    state,
    sum(jobs) AS jobs,
    round(jobs / sum(sum(totals.jobs)) OVER (PARTITION BY cluster), 3) AS share_of_jobs,
    round(sum(totals.node_hours), 1) AS node_hours,
    round(sum(bytes_read) / pow(1024, 4), 3) AS tib_read,
    round(sum(bytes_written) / pow(1024, 4), 3) AS tib_written,
    sum(jobs_without_log) AS jobs_without_log
FROM job_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, state
ORDER BY cluster, sum(totals.node_hours) DESC, state
