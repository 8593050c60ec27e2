/*
title: Sizes of requests
question: How many POSIX reads and writes on file systems of the site have which size?
note: The edge is inclusive; the last line has no edge. Reads of the first line may be of 0 bytes, at the end of a file.
source: Carns et al. 2011, who give access sizes as a histogram
*/
SELECT
    cluster,
    bin.1 AS up_to_bytes,
    toUInt64(sum(bin.2)) AS reads,
    round(sum(bin.2) / nullIf(sum(sum(bin.2)) OVER (PARTITION BY cluster), 0), 3) AS share_of_reads,
    toUInt64(sum(bin.3)) AS writes,
    round(sum(bin.3) / nullIf(sum(sum(bin.3)) OVER (PARTITION BY cluster), 0), 3) AS share_of_writes
FROM runs
ARRAY JOIN [
    (100, ifNull(posix_size_read_0_100, 0), ifNull(posix_size_write_0_100, 0)),
    (1024, ifNull(posix_size_read_100_1k, 0), ifNull(posix_size_write_100_1k, 0)),
    (10240, ifNull(posix_size_read_1k_10k, 0), ifNull(posix_size_write_1k_10k, 0)),
    (102400, ifNull(posix_size_read_10k_100k, 0), ifNull(posix_size_write_10k_100k, 0)),
    (1048576, ifNull(posix_size_read_100k_1m, 0), ifNull(posix_size_write_100k_1m, 0)),
    (4194304, ifNull(posix_size_read_1m_4m, 0), ifNull(posix_size_write_1m_4m, 0)),
    (10485760, ifNull(posix_size_read_4m_10m, 0), ifNull(posix_size_write_4m_10m, 0)),
    (104857600, ifNull(posix_size_read_10m_100m, 0), ifNull(posix_size_write_10m_100m, 0)),
    (1073741824, ifNull(posix_size_read_100m_1g, 0), ifNull(posix_size_write_100m_1g, 0)),
    (NULL, ifNull(posix_size_read_1g_plus, 0), ifNull(posix_size_write_1g_plus, 0))
] AS bin
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, up_to_bytes
ORDER BY cluster, up_to_bytes ASC NULLS LAST
