/*
title: Sequential and random requests
question: How many POSIX reads and writes begin where the last one of their process ended, how many further on, how
  many further back?
note: consecutive requests count as sequential, too. Of those that went back only bounds are in the log.
source: Carns et al. 2011, who count sequential and consecutive accesses
*/
SELECT
    cluster,
    filesystem,
    counted.1 AS direction,
    toUInt64(sum(counted.2)) AS requests,
    round(sum(counted.3) / nullIf(requests, 0), 3) AS consecutive,
    round(sum(counted.4) / nullIf(requests, 0), 3) AS sequential,
    round(sum(counted.5) / nullIf(requests, 0), 3) AS back_at_least,
    round(sum(counted.6) / nullIf(requests, 0), 3) AS back_at_most
FROM runs
ARRAY JOIN [
    ('read', reads, consecutive_reads, sequential_reads, random_reads, random_reads_upper),
    ('write', writes, consecutive_writes, sequential_writes, random_writes, random_writes_upper)
] AS counted
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, filesystem, direction
ORDER BY cluster, filesystem, direction
