/*
title: Programs that read their files several times
question: Which programs read far more bytes than their files hold, so that a cache or a copy nearer by would help?
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
*/
SELECT
    cluster,
    program,
    user,
    count() AS runs,
    round(sum(ifNull(bytes_read, 0)) / pow(1024, 3), 2) AS gib_read,
    round(sum(ifNull(reread_bytes, 0)) / pow(1024, 3), 2) AS gib_reread,
    round(gib_reread / nullIf(gib_read, 0), 3) AS reread_share
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, program, user
HAVING gib_reread > 0
ORDER BY gib_reread DESC, cluster, program, user
LIMIT {limit:UInt32}
