-- What was wrong with servers, devices and file systems at any time of the range. Which file systems a silent server serves is
-- not known: it is shown whichever are chosen.
SELECT
    greatest(events.since, toDateTime64('{{ since }}', 6, 'UTC')) AS time,
    cluster,
    kind,
    if(subject_kind = 'filesystem', 'file system', subject_kind) AS what,
    concat(kind, ' ', what) AS trouble,
    subject,
    if(subject_kind = 'server', subject, events.server) AS server,
    filesystem,
    events.since AS began,
    ended,
    dateDiff('second', events.since, ifNull(ended, now64(6))) / 60 AS minutes,
    state,
    if(in_maintenance = 1, 'yes', 'no') AS maintenance,
    arrayStringConcat(arrayMap((name, number) -> concat(name, ' = ', toString(round(number, 3))), names, numbers), '; ') AS evidence
FROM storage_events AS events
WHERE events.since < '{{ until }}' AND {{ of_center }} AND (ended >= '{{ since }}' OR ended IS NULL) AND {{ of_filesystem_or_unknown() }}
