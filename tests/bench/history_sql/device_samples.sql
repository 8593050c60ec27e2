INSERT INTO device_samples_versions
    (cluster, server, device_id, device_name, time, interval_seconds, reads, writes, bytes_read, bytes_written, busy_seconds,
    weighted_queue_seconds, read_wait_seconds, write_wait_seconds, version, is_deleted, origin, landed_at)
SELECT
    'history', concat('oss', toString(intDiv(subject, $devices_a_server))), concat('wwn-', hex(cityHash64(subject))),
    concat('sd', toString(subject % $devices_a_server)), toDateTime64('$start', 6, 'UTC') + toIntervalSecond(5 * tick) AS taken, 5,
    500, 450, 5e8 * (1 + sin(number / 7)), 5e8 * (1 + cos(number / 5)), 5 * busy,
    5 * busy, 0.5, 0.5, 1, 0, 'live', taken
FROM
(
    SELECT
        number,
        number % intDiv($seconds, 5) AS tick,
        intDiv(number, intDiv($seconds, 5)) AS subject,
        (cityHash64(subject, intDiv(number, 60)) % 100) / 100 AS busy
    FROM numbers($devices * intDiv($seconds, 5))
)
