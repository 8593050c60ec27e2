/*
title: Jobs that Darshan did not see
question: Which users run most node-hours without Darshan, so that nothing is known of their I/O?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many users}
example: |
  cluster,user,account,jobs,node_hours_unseen,share_of_their_node_hours
  c,bob,other,1,5,1
  c,ann,proj,1,0,0
*/
SELECT
    cluster,
    nullIf(user, '(unknown)') AS user,
    nullIf(account, '(unknown)') AS account,
    sumIf(totals.jobs, coverage = 'not_instrumented') AS jobs,
    round(sumIf(node_hours, coverage = 'not_instrumented'), 1) AS node_hours_unseen,
    round(sumIf(node_hours, coverage = 'not_instrumented') / nullIf(sum(node_hours), 0), 3) AS share_of_their_node_hours
FROM job_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, user, account
HAVING jobs > 0
ORDER BY sumIf(node_hours, coverage = 'not_instrumented') DESC, cluster, user, account
LIMIT {limit:UInt32}
