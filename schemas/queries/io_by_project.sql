/*
title: Projects by bytes moved
question: Which projects move most data, in how many jobs, and how much of it are reads?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many projects}
*/
SELECT
    cluster,
    account,
    uniqExact(job_uid) AS jobs,
    count() AS runs,
    round(sum(ifNull(bytes_read, 0) + ifNull(bytes_written, 0)) / pow(1024, 4), 3) AS tib_moved,
    round(sum(ifNull(bytes_read, 0)) / nullIf(sum(ifNull(bytes_read, 0) + ifNull(bytes_written, 0)), 0), 3) AS read_share
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, account
ORDER BY tib_moved DESC, cluster, account
LIMIT {limit:UInt32}
