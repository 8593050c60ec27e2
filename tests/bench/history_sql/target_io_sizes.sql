INSERT INTO target_io_sizes_versions
    (cluster, server, target, time, size_bytes, disk_reads, disk_writes, version, is_deleted, origin)
SELECT
    'history', concat('oss', toString(intDiv(place, 2))), concat('scratch-OST', hex(place)),
    toDateTime64('$start', 6, 'UTC') + toIntervalSecond(10 * look), [4096, 65536, 1048576, 4194304],
    [look, 2 * look, 3 * look, look], [look, look, 5 * look, look], 1, 0, 'live'
FROM
(
    SELECT number % intDiv($seconds, 10) AS look, intDiv(number, intDiv($seconds, 10)) AS place
    FROM numbers($targets * intDiv($seconds, 10))
)
