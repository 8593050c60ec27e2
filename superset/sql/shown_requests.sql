-- How large the requests were: POSIX, on the file systems that the site names.
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    cluster,
    kind.1 AS direction,
    requested.1 AS request_size,
    requested.2 AS requests
FROM runs
ARRAY JOIN
    [
        ('reads', [posix_size_read_0_100, posix_size_read_100_1k, posix_size_read_1k_10k, posix_size_read_10k_100k, posix_size_read_100k_1m, posix_size_read_1m_4m, posix_size_read_4m_10m, posix_size_read_10m_100m, posix_size_read_100m_1g, posix_size_read_1g_plus]),
        ('writes', [posix_size_write_0_100, posix_size_write_100_1k, posix_size_write_1k_10k, posix_size_write_10k_100k, posix_size_write_100k_1m, posix_size_write_1m_4m, posix_size_write_4m_10m, posix_size_write_10m_100m, posix_size_write_100m_1g, posix_size_write_1g_plus])
    ] AS kind
ARRAY JOIN
    arrayZip(
        [
            '01: to 100 B', '02: to 1 KiB', '03: to 10 KiB', '04: to 100 KiB', '05: to 1 MiB',
            '06: to 4 MiB', '07: to 10 MiB', '08: to 100 MiB', '09: to 1 GiB', '10: above'
        ],
        kind.2
    ) AS requested
WHERE {{ shown }}
