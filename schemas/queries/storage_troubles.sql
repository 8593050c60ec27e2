/*
title: Silent servers, hot devices, saturated file systems
question: How many hours of the range was each server silent, each device hot, each file system saturated?
note: Hours outside of the range do not count; troubles that are open last until its end.
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
    round(sum(dateDiff('second', greatest(storage_events.since, {since:DateTime64(6, 'UTC')}), least(ifNull(ended, {until:DateTime64(6, 'UTC')}), {until:DateTime64(6, 'UTC')}))) / 3600, 2) AS hours
FROM storage_events
WHERE storage_events.since < {until:DateTime64(6, 'UTC')} AND ifNull(ended, {until:DateTime64(6, 'UTC')}) > {since:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, kind, subject_kind, subject
ORDER BY hours DESC, cluster, kind, subject_kind, subject
