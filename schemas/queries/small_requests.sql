/*
title: Small requests by program
question: Which programs move most of their requests in pieces below 1 MiB?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
*/
SELECT
    cluster,
    program,
    user,
    count() AS runs,
    sum(ifNull(reads, 0) + ifNull(writes, 0)) AS requests,
    round(sum(ifNull(small_reads, 0) + ifNull(small_writes, 0)) / nullIf(requests, 0), 3) AS small_share,
    round(sum(io_time_seconds) / 3600, 2) AS io_hours
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, program, user
HAVING small_share > 0.5
ORDER BY io_hours DESC, cluster, program, user
LIMIT {limit:UInt32}
