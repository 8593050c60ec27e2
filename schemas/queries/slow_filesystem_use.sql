/*
title: I/O on file systems that are not for it
question: Whose programs move bytes on file systems that the site marks as slow, such as home?
note: runs are all of the program, those that did nothing of it too.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
example: |
  cluster,user,program,runs,gib,share_of_their_bytes
  c,ann,app,2,1024,0.25
*/
SELECT
    cluster,
    nullIf(user, '(unknown)') AS user,
    program,
    sum(runs) AS runs,
    round(sum(slow_filesystem_bytes) / pow(1024, 3), 2) AS gib,
    round(sum(slow_filesystem_bytes) / nullIf(sum(placed_bytes), 0), 3) AS share_of_their_bytes
FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, user, program
HAVING sum(slow_filesystem_bytes) > 0
ORDER BY sum(slow_filesystem_bytes) DESC, cluster, user, program
LIMIT {limit:UInt32}
