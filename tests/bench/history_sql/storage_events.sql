-- 50 troubles a day, of half an hour at most; one in a thousand is not over.
INSERT INTO storage_events_versions
    (cluster, event_id, kind, subject_kind, subject, server, filesystem, since, ended, state, in_maintenance, names, numbers, version,
    is_deleted, origin)
SELECT
    'history', hex(sipHash64('$start', number)), ['silent', 'hot', 'hot', 'saturated'][1 + number % 4],
    ['server', 'device', 'device', 'filesystem'][1 + number % 4], toString(number % $servers), concat('server', toString(number % $servers)),
    'scratch', toDateTime64('$start', 6, 'UTC') + toIntervalSecond($seconds * number / (50 * $seconds / 86400)) AS since,
    if(number % 1000 = 7, NULL, since + toIntervalSecond(10 + number % 1800)) AS ended, if(ended IS NULL, 'open', 'recovered'), 0,
    ['util'], [0.97], 1, 0, 'live'
FROM numbers(toUInt64(50 * $seconds / 86400))
