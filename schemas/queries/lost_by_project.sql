/*
title: Node-hours lost by project
question: Which projects lose most node-hours to I/O, and is it their programs or the storage?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many projects}
*/
SELECT
    cluster,
    account,
    count() AS jobs,
    round(sum(node_hours), 1) AS used,
    round(sum(node_hours_lost), 1) AS lost,
    round(sum(node_hours_lost) / nullIf(sumIf(node_hours, node_hours_lost IS NOT NULL), 0), 3) AS lost_share,
    round(sumIf(ifNull(node_hours_lost, 0), verdict = 'application'), 1) AS by_application,
    round(sumIf(ifNull(node_hours_lost, 0), verdict = 'storage'), 1) AS by_storage,
    round(sumIf(ifNull(node_hours_lost, 0), verdict = 'both'), 1) AS by_both
FROM job_results
WHERE submit_time >= {since:DateTime64(6, 'UTC')} AND submit_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, account
HAVING sum(node_hours_lost) > 0
ORDER BY sum(node_hours_lost) DESC, cluster, account
LIMIT {limit:UInt32}
