/*
title: Programs with unaligned requests
question: Which programs begin most of their requests off the boundaries of blocks and stripes, on which file system?
note: At least so many are unaligned; reads below 100 bytes are taken out, as they may be of 0 bytes.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
*/
SELECT
    cluster,
    filesystem,
    program,
    user,
    programs.runs[filesystem] AS runs,
    toUInt64(programs.requests[filesystem]) AS requests,
    toUInt64(programs.unaligned[filesystem]) AS unaligned,
    round(unaligned / nullIf(requests, 0), 3) AS unaligned_share,
    programs.alignments[filesystem] AS largest_alignment_bytes
FROM
(
    SELECT
        cluster,
        program,
        nullIf(user, '(unknown)') AS user,
        sumMap(runs_by_filesystem) AS runs,
        sumMap(requests_by_filesystem) AS requests,
        sumMap(unaligned_by_filesystem) AS unaligned,
        maxMap(alignment_by_filesystem) AS alignments
    FROM run_io_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, program, user
) AS programs
ARRAY JOIN mapKeys(programs.runs) AS filesystem
WHERE programs.unaligned[filesystem] > 0
ORDER BY programs.unaligned[filesystem] DESC, cluster, filesystem, program, user
LIMIT {limit:UInt32}
