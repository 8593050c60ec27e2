INSERT INTO filesystem_load_hourly_versions
    (cluster, filesystem, hour_start, sampled_seconds, bytes_read, bytes_written, reads, writes, util_mean, util_max, peak_bytes_per_second,
    read_wait_seconds, write_wait_seconds, version, is_deleted, origin, landed_at)
SELECT
    'history', ['scratch', 'home', 'project'][1 + subject], toDateTime64('$start', 6, 'UTC') + toIntervalSecond(3600 * bucket) AS began, 3600,
    1e9 * (1 + sin(number / 7)), 1e9 * (1 + cos(number / 5)), 1000, 900, busy, busy, 3e10,
    1, 1, 360, 0, 'live', began
FROM
(
    SELECT
        number,
        number % intDiv($seconds, 3600) AS bucket,
        intDiv(number, intDiv($seconds, 3600)) AS subject,
        (cityHash64(subject, intDiv(number, 30)) % 100) / 100 AS busy
    FROM numbers(3 * intDiv($seconds, 3600))
)
