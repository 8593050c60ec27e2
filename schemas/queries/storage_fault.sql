/*
title: Slow runs that were not the program's fault
question: On which days and file systems was the storage responsible for slow runs?
*/
SELECT
    cluster,
    toDate(start_time) AS day,
    filesystem,
    countIf(verdict = 'storage') AS by_storage,
    countIf(verdict = 'both') AS by_both,
    countIf(verdict = 'application') AS by_application,
    countIf(verdict = 'unknown') AS unknown,
    round(sumIf(ifNull(node_hours_lost, 0), verdict IN ('storage', 'both')), 2) AS node_hours_lost
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster) AND slow = 1
GROUP BY cluster, day, filesystem
HAVING by_storage + by_both > 0
ORDER BY cluster, day, filesystem
