/*
title: Jobs that Darshan did not see
question: Which users run most node-hours without Darshan, so that nothing is known of their I/O?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many users}
*/
SELECT
    cluster,
    user,
    account,
    countIf(coverage = 'not_instrumented') AS jobs,
    round(sumIf(node_hours, coverage = 'not_instrumented'), 1) AS node_hours_unseen,
    round(sumIf(node_hours, coverage = 'not_instrumented') / nullIf(sum(node_hours), 0), 3) AS share_of_their_node_hours
FROM job_results
WHERE submit_time >= {since:DateTime64(6, 'UTC')} AND submit_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, user, account
HAVING jobs > 0
ORDER BY node_hours_unseen DESC, cluster, user, account
LIMIT {limit:UInt32}
