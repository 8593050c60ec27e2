/*
title: Busiest storage servers
question: Which storage servers were busiest, and how long did their requests wait?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many servers}
example: |
  cluster,server,util_mean,util_max,read_wait_ms,write_wait_ms
  c,oss2,0.4,1,\N,100
  c,oss1,0.367,0.9,2,\N
*/
SELECT
    cluster,
    server,
    round(sum(load.util_mean * sampled_seconds) / sum(sampled_seconds), 3) AS util_mean,
    max(load.util_max) AS util_max,
    round(1000 * sum(read_wait_seconds) / nullIf(sum(reads), 0), 2) AS read_wait_ms,
    round(1000 * sum(write_wait_seconds) / nullIf(sum(writes), 0), 2) AS write_wait_ms
FROM server_load_hourly AS load
WHERE hour_start >= {since:DateTime64(6, 'UTC')} AND hour_start < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, server
ORDER BY sum(load.util_mean * sampled_seconds) / sum(sampled_seconds) DESC, cluster, server
LIMIT {limit:UInt32}
