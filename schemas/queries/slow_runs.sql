/*
title: Slow runs that lost most
question: Which runs lost most node-hours to I/O, whose fault was it, and what was found?
parameters:
  limit: {type: UInt32, default: 50, meaning: how many runs}
example: |
  cluster,start_time,user,job_id,program,filesystem,node_hours_lost,verdict,findings,log_id
  c,2026-05-10 10:00:00.000000,bob,0,sim,scratch,4,storage,[],b
  c,2026-05-10 10:00:00.000000,ann,0,app,scratch,2.5,application,['slow_target'],a
*/
WITH lost_most AS -- all else is read of these alone
(
    SELECT cluster, start_time
    FROM runs
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster) AND slow = 1
    ORDER BY node_hours_lost DESC
    LIMIT {limit:UInt32} WITH TIES
)
SELECT
    cluster,
    start_time,
    user,
    job_id,
    program,
    filesystem,
    round(node_hours_lost, 4) AS node_hours_lost,
    verdict,
    findings,
    log_id
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster) AND slow = 1
    AND (cluster, start_time) IN (SELECT cluster, start_time FROM lost_most)
ORDER BY runs.node_hours_lost DESC, cluster, log_id
LIMIT {limit:UInt32}
