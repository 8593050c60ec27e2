/*
title: Small requests by program
question: Which programs move most of their requests in pieces below 1 MiB?
note: The share is the least that it can be. Of a run whose records of MPI-IO cannot be read no request counts as small.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
example: |
  cluster,program,user,runs,requests,small_share,io_hours
  c,app,ann,2,400,0.75,2
*/
SELECT
    cluster,
    program,
    nullIf(user, '(unknown)') AS user,
    sum(runs) AS runs,
    sum(requests) AS requests,
    round(sum(small_requests) / nullIf(requests, 0), 3) AS small_share,
    round(sum(io_time_seconds) / 3600, 2) AS io_hours
FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, program, user
HAVING 2 * sum(small_requests) > requests
ORDER BY sum(io_time_seconds) DESC, cluster, program, user
LIMIT {limit:UInt32}
