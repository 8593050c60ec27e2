INSERT INTO target_live_versions
    (cluster, server, target, time, reads, writes, bytes_read, bytes_written, other_operations, version, is_deleted, origin)
SELECT
    'history', concat('oss', toString(intDiv(place, 2))), concat('scratch-OST', hex(place)),
    toDateTime64('$start', 6, 'UTC') + toIntervalSecond(10 * look), 1e3 * look, 9e2 * look, 1e9 * look, 2e9 * look, 50 * look,
    1, 0, 'live'
FROM
(
    SELECT number % intDiv($seconds, 10) AS look, intDiv(number, intDiv($seconds, 10)) AS place
    FROM numbers($targets * intDiv($seconds, 10))
)
