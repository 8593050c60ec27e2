/*
title: Delay of the pipeline
question: How long did rows of each table take from Kafka to the table?
note: Percentiles are of inserts, each of many rows, by the oldest of them.
example: |
  cluster,table,inserts,rows,p50_seconds,p99_seconds,max_seconds
  c,runs,3,60,1,4,4
*/
SELECT
    cluster,
    table,
    sum(inserts) AS inserts,
    sum(rows) AS rows,
    round(quantilesTDigestMerge(0.5, 0.99)(delay_seconds)[1], 2) AS p50_seconds,
    round(quantilesTDigestMerge(0.5, 0.99)(delay_seconds)[2], 2) AS p99_seconds,
    round(max(max_delay_seconds), 2) AS max_seconds
FROM landings_hourly
WHERE hour_start >= {since:DateTime64(6, 'UTC')} AND hour_start < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, table
ORDER BY cluster, table
