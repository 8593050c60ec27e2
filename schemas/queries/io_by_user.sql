/*
title: Users by I/O time
question: Who spends most time in I/O, and which share of the run time is that?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many users}
example: |
  cluster,user,account,runs,io_hours,io_share,read,written
  c,ann,proj,2,2,0.5,1.00 TiB,4.00 TiB
  c,bob,other,1,0.5,0.25,1.00 TiB,0.00 B
*/
SELECT
    cluster,
    nullIf(user, '(unknown)') AS user,
    nullIf(account, '(unknown)') AS account,
    sum(runs) AS runs,
    round(sum(io_time_seconds) / 3600, 2) AS io_hours,
    round(sum(timed_io_seconds) / nullIf(sum(run_time_seconds), 0), 3) AS io_share,
    formatReadableSize(sum(bytes_read)) AS read,
    formatReadableSize(sum(bytes_written)) AS written
FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, user, account
ORDER BY sum(io_time_seconds) DESC, cluster, user, account
LIMIT {limit:UInt32}
