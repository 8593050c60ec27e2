INSERT INTO cases_versions
    (cluster, case_id, user, program, rule_id, title, state, runs, node_hours_lost, times_sent, sent_in, sent_at, retracted,
    changed_at, version, is_deleted, origin)
SELECT
    'history', concat('case', toString(number)), concat('user', toString(number % 2000)),
    concat('program', toString(cityHash64(concat('user', toString(number % 2000)), intDiv(number, 2000) % 5) % 3000)),
    ['many_opens', 'metadata_heavy', 'rank0_io', 'small_io'][1 + number % 4] AS rule, rule,
    ['open', 'fixed', 'counted'][1 + number % 3], 1 + number % 500, number % 1000, number % 5, 'live',
    changed_at - INTERVAL 1 DAY, [], toDateTime64('$start', 6, 'UTC') + toIntervalSecond($seconds * number / 20000) AS changed_at,
    1, 0, 'live'
FROM numbers(20000)
