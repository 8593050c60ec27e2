INSERT INTO filesystem_load_versions
    (cluster, filesystem, bucket_start, bucket_seconds, bytes_read, bytes_written, reads, writes, util_mean, util_p95, util_max, servers_reported, servers_expected,
    read_wait_seconds, write_wait_seconds, version, is_deleted, origin, landed_at)
SELECT
    'history', ['scratch', 'home', 'project'][1 + subject], toDateTime64('$start', 6, 'UTC') + toIntervalSecond(10 * bucket) AS began, 10,
    1e9 * (1 + sin(number / 7)), 1e9 * (1 + cos(number / 5)), 1000, 900, busy, busy, busy, 500, 500,
    1, 1, 360, 0, 'live', began
FROM
(
    SELECT
        number,
        number % intDiv($seconds, 10) AS bucket,
        intDiv(number, intDiv($seconds, 10)) AS subject,
        (cityHash64(subject, intDiv(number, 30)) % 100) / 100 AS busy
    FROM numbers(3 * intDiv($seconds, 10))
)
