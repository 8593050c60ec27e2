-- 300 messages a day, and 700 that were held back.
INSERT INTO alerts_versions
    (cluster, user, kind, unit, alert, mode, held, cases, jobs, node_hours_lost, settled_at, decided_at, version, is_deleted,
    origin)
SELECT
    'history', concat('user', toString(number % 2000)), 'finding', concat('job ', '$start', toString(number)),
    if(held = '', hex(cityHash64('$start', number)), ''), 'live',
    if(number % 10 < 3, '', ['below_thresholds', 'sent_before', 'storage', 'limit'][1 + number % 4]) AS held,
    [concat('case', toString(number % 20000))], 1, number % 100, decided_at - INTERVAL 5 SECOND,
    toDateTime64('$start', 6, 'UTC') + toIntervalSecond($seconds * number / ($seconds / 86.4)) AS decided_at, 1, 0, 'live'
FROM numbers(toUInt64($seconds / 86.4))
