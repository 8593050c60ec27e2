/*
title: Days on which the storage slowed runs down
question: On which days and file systems was the storage responsible for slow runs?
example: |
  cluster,day,filesystem,by_storage,by_both,by_application,unknown,node_hours_lost
  c,2026-05-10,scratch,1,0,1,0,4
*/
SELECT
    cluster,
    toDate(time) AS day,
    nullIf(filesystem, '(none)') AS filesystem,
    sumIf(runs, verdict = 'storage') AS by_storage,
    sumIf(runs, verdict = 'both') AS by_both,
    sumIf(runs, verdict = 'application') AS by_application,
    sumIf(runs, verdict = 'unknown') AS unknown,
    round(sumIf(node_hours_lost, verdict IN ('storage', 'both')), 2) AS node_hours_lost
FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster) AND is_slow = 1
GROUP BY cluster, day, filesystem
HAVING by_storage + by_both > 0
ORDER BY cluster, day, filesystem
