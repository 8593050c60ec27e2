/*
title: Programs that read their files several times
question: Which programs read far more bytes than their files hold, so that a cache or a copy nearer by would help?
note: runs are all of the program, those that did nothing of it too.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
example: |
  cluster,program,user,runs,gib_read,gib_reread,reread_share
  c,app,ann,2,1024,256,0.25
*/
SELECT
    cluster,
    program,
    nullIf(user, '(unknown)') AS user,
    sum(runs) AS runs,
    round(sum(bytes_read) / pow(1024, 3), 2) AS gib_read,
    round(sum(reread_bytes) / pow(1024, 3), 2) AS gib_reread,
    round(sum(reread_bytes) / nullIf(sum(bytes_read), 0), 3) AS reread_share
FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, program, user
HAVING sum(reread_bytes) > 0
ORDER BY sum(reread_bytes) DESC, cluster, program, user
LIMIT {limit:UInt32}
