/*
title: Users by I/O time
question: Who spends most time in I/O, and which share of the run time is that?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many users}
*/
SELECT
    cluster,
    user,
    account,
    count() AS runs,
    round(sum(io_time_seconds) / 3600, 2) AS io_hours,
    round(sumIf(io_time_seconds, run_time_seconds > 0) / sum(run_time_seconds), 3) AS io_share,
    formatReadableSize(sum(ifNull(bytes_read, 0))) AS read,
    formatReadableSize(sum(ifNull(bytes_written, 0))) AS written
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, user, account
ORDER BY sum(io_time_seconds) DESC, cluster, user
LIMIT {limit:UInt32}
