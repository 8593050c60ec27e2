/*
title: Programs with unaligned requests
question: Which programs begin most of their requests off the boundaries of blocks, on which file system?
note: A boundary is what Darshan recorded as the file's alignment, which is not its stripe size. At least so many are unaligned; reads below 100 bytes are taken out, as they may be of 0 bytes.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
example: |
  cluster,filesystem,program,user,runs,requests,unaligned,unaligned_share,largest_alignment_bytes
  c,scratch,app,ann,2,390,200,0.513,1048576
  c,home,app,ann,1,10,10,1,4096
*/
SELECT
    cluster,
    filesystem,
    program,
    nullIf(user, '(unknown)') AS user,
    sum(runs_there) AS runs,
    toUInt64(sum(requests_there)) AS requests,
    toUInt64(sum(unaligned_there)) AS unaligned,
    round(unaligned / nullIf(requests, 0), 3) AS unaligned_share,
    max(alignment_there) AS largest_alignment_bytes
FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
ARRAY JOIN
    mapKeys(runs_by_filesystem) AS filesystem,
    mapValues(runs_by_filesystem) AS runs_there,
    mapValues(requests_by_filesystem) AS requests_there,
    mapValues(unaligned_by_filesystem) AS unaligned_there,
    mapValues(alignment_by_filesystem) AS alignment_there
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, filesystem, program, user
HAVING 2 * unaligned > requests
ORDER BY unaligned DESC, cluster, filesystem, program, user
LIMIT {limit:UInt32}
