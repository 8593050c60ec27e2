INSERT INTO device_load_hourly_versions
    (cluster, device_id, server, hour_start, sampled_seconds, bytes_read, bytes_written, reads, writes, util,
    read_wait_seconds, write_wait_seconds, version, is_deleted, origin, landed_at)
SELECT
    'history', concat('wwn-', hex(cityHash64(subject))), concat('oss', toString(intDiv(subject, $devices_a_server))), toDateTime64('$start', 6, 'UTC') + toIntervalSecond(3600 * bucket) AS began, 3600,
    1e9 * (1 + sin(number / 7)), 1e9 * (1 + cos(number / 5)), 1000, 900, busy,
    1, 1, 360, 0, 'live', began
FROM
(
    SELECT
        number,
        number % intDiv($seconds, 3600) AS bucket,
        intDiv(number, intDiv($seconds, 3600)) AS subject,
        (cityHash64(subject, intDiv(number, 30)) % 100) / 100 AS busy
    FROM numbers($devices * intDiv($seconds, 3600))
)
