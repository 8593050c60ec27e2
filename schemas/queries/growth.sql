/*
title: Bytes and runs by month
question: How do the data that jobs move grow?
example: |
  cluster,month,runs,tib_read,tib_written
  c,2026-05-01,2,2,3
  c,2026-06-01,1,0,1
*/
SELECT
    cluster,
    toStartOfMonth(time) AS month,
    sum(runs) AS runs,
    round(sum(bytes_read) / pow(1024, 4), 3) AS tib_read,
    round(sum(bytes_written) / pow(1024, 4), 3) AS tib_written
FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, month
ORDER BY cluster, month
