/*
title: Node-hours lost by project
question: Which projects lose most node-hours to I/O, and is it their programs or the storage?
note: Used by all jobs that started in the range; lost by runs, of those whose loss is known. Runs that are not slow
  lose a little each. Of runs without a job neither jobs nor used are known.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many projects}
example: |
  cluster,account,jobs,used,lost,lost_share,by_application,by_storage,by_both,by_unknown,not_slow
  c,other,1,5,4,2,0,4,0,0,0
  c,proj,3,30,2.5,0.625,2.5,0,0,0,0
*/
SELECT
    cluster,
    nullIf(lost.account, '(unknown)') AS account,
    if(lost.account = '(unknown)', NULL, known.jobs) AS jobs,
    if(lost.account = '(unknown)', NULL, round(known.node_hours, 3)) AS used,
    round(lost.node_hours_lost, 3) AS lost,
    round(lost.node_hours_lost / nullIf(lost.judged_node_hours, 0), 3) AS lost_share,
    round(lost.by_application, 3) AS by_application,
    round(lost.by_storage, 3) AS by_storage,
    round(lost.by_both, 3) AS by_both,
    round(lost.by_unknown, 3) AS by_unknown,
    round(lost.not_slow, 3) AS not_slow
FROM
(
    SELECT
        cluster,
        account,
        sum(totals.node_hours_lost) AS node_hours_lost,
        sum(totals.judged_node_hours) AS judged_node_hours,
        sumIf(totals.node_hours_lost, verdict = 'application') AS by_application,
        sumIf(totals.node_hours_lost, verdict = 'storage') AS by_storage,
        sumIf(totals.node_hours_lost, verdict = 'both') AS by_both,
        sumIf(totals.node_hours_lost, verdict = 'unknown') AS by_unknown,
        sumIf(totals.node_hours_lost, verdict = 'not_slow') AS not_slow
    FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, account
) AS lost
LEFT JOIN
(
    SELECT cluster, account, sum(totals.jobs) AS jobs, sum(totals.node_hours) AS node_hours
    FROM job_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, account
) AS known USING (cluster, account)
WHERE lost.node_hours_lost > 0
ORDER BY lost.node_hours_lost DESC, cluster, account
LIMIT {limit:UInt32}
