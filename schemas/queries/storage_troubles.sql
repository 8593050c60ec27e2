/*
title: Silent servers, hot devices, saturated file systems
question: How many hours of the range was each server silent, each device hot, each file system saturated?
note: Hours outside of the range do not count; troubles that are open last until its end, or until now.
example: |
  cluster,kind,subject_kind,subject,on_server,of_filesystem,events,open,hours
  c,silent,server,oss1,,,2,1,3
  c,hot,device,d1,oss1,scratch,1,0,0.5
*/
SELECT
    cluster,
    kind,
    subject_kind,
    subject,
    any(server) AS on_server,
    any(filesystem) AS of_filesystem,
    count() AS events,
    countIf(state = 'open') AS open,
    round(sum(dateDiff('second', begins, ends)) / 3600, 2) AS hours
FROM
(
    SELECT
        *,
        greatest(storage_events.since, {since:DateTime64(6, 'UTC')}) AS begins,
        least(ifNull(ended, now64(6, 'UTC')), {until:DateTime64(6, 'UTC')}) AS ends
    FROM storage_events
    WHERE {cluster:String} IN ('', cluster)
)
WHERE begins < ends
GROUP BY cluster, kind, subject_kind, subject
ORDER BY sum(dateDiff('second', begins, ends)) DESC, cluster, kind, subject_kind, subject
