INSERT INTO deliveries_versions
    (cluster, alert, kind, unit, recipient, mode, state, cases, subject, attempts, channel_names, channel_addresses,
    channel_states, channel_reasons, settled_at, decided_at, time, version, is_deleted, origin)
SELECT
    cluster, alert, kind, unit, user, mode, if(cityHash64(alert) % 1000 = 0, 'failed', 'sent'), cases, 'Your I/O', 1, ['mail'],
    [user], ['sent'], [''], settled_at, decided_at, decided_at + INTERVAL 20 SECOND, 1, 0, 'live'
FROM alerts_versions
WHERE held = '' AND decided_at >= '$start' AND decided_at < toDateTime64('$start', 6, 'UTC') + toIntervalSecond($seconds)
