-- POSIX requests by their size, in Darshan's bins. Runs are added up by what the page is filtered by, so that the answer
-- stays small.
WITH counted AS
(
    SELECT
        max(start_time) AS time,
        cluster,
        ifNull(user, '(unknown)') AS user,
        ifNull(account, '(unknown)') AS account,
        ifNull(filesystem, '(none)') AS filesystem,
        [
            ('read', [
                sum(ifNull(posix_size_read_0_100, 0)),
                sum(ifNull(posix_size_read_100_1k, 0)),
                sum(ifNull(posix_size_read_1k_10k, 0)),
                sum(ifNull(posix_size_read_10k_100k, 0)),
                sum(ifNull(posix_size_read_100k_1m, 0)),
                sum(ifNull(posix_size_read_1m_4m, 0)),
                sum(ifNull(posix_size_read_4m_10m, 0)),
                sum(ifNull(posix_size_read_10m_100m, 0)),
                sum(ifNull(posix_size_read_100m_1g, 0)),
                sum(ifNull(posix_size_read_1g_plus, 0))
            ]),
            ('write', [
                sum(ifNull(posix_size_write_0_100, 0)),
                sum(ifNull(posix_size_write_100_1k, 0)),
                sum(ifNull(posix_size_write_1k_10k, 0)),
                sum(ifNull(posix_size_write_10k_100k, 0)),
                sum(ifNull(posix_size_write_100k_1m, 0)),
                sum(ifNull(posix_size_write_1m_4m, 0)),
                sum(ifNull(posix_size_write_4m_10m, 0)),
                sum(ifNull(posix_size_write_10m_100m, 0)),
                sum(ifNull(posix_size_write_100m_1g, 0)),
                sum(ifNull(posix_size_write_1g_plus, 0))
            ])
        ] AS sizes
    FROM runs
    WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
    GROUP BY ALL
)
SELECT
    time,
    cluster,
    user,
    account,
    filesystem,
    flow.1 AS direction,
    bin.1 AS bytes_from,
    bin.2 AS requests
FROM counted
ARRAY JOIN sizes AS flow
ARRAY JOIN arrayZip([1, 100, 1024, 10240, 102400, 1048576, 4194304, 10485760, 104857600, 1073741824], flow.2) AS bin
