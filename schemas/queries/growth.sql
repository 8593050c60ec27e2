/*
title: Bytes and runs by month
question: How do the data that jobs move grow?
*/
SELECT
    cluster,
    toStartOfMonth(start_time) AS month,
    count() AS runs,
    round(sum(ifNull(bytes_read, 0)) / pow(1024, 4), 3) AS tib_read,
    round(sum(ifNull(bytes_written, 0)) / pow(1024, 4), 3) AS tib_written
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, month
ORDER BY cluster, month
