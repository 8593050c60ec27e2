/*
title: Programs with unaligned requests
question: Which programs begin most of their requests off the boundaries of blocks and stripes, on which file system?
note: At least so many are unaligned; reads below 100 bytes are taken out, as they may be of 0 bytes.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
*/
SELECT
    cluster,
    used.1 AS filesystem,
    program,
    user,
    count() AS runs,
    toUInt64(sum(used.2)) AS requests,
    toUInt64(sum(used.3)) AS unaligned,
    round(unaligned / nullIf(requests, 0), 3) AS unaligned_share,
    max(used.4) AS largest_alignment_bytes
FROM runs
ARRAY JOIN arrayMap(
    (name, reads, writes, unaligned, alignment) ->
        (name, ifNull(reads, 0) + ifNull(writes, 0), ifNull(unaligned, 0), alignment),
    filesystems,
    filesystem_reads,
    filesystem_writes,
    filesystem_surely_unaligned_requests,
    filesystem_file_alignment_bytes
) AS used
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, filesystem, program, user
HAVING unaligned > 0
ORDER BY unaligned DESC, cluster, filesystem, program, user
LIMIT {limit:UInt32}
