/*
title: Messages that were refused
question: Which messages could not be read, from where, and why?
note: Numbers in a reason are written as #, so that alike ones count together.
example: |
  cluster,source,why,messages_refused,files,first_time,last_time
  c,darshan,byte # is no Avro,6,2,2026-05-01 00:00:00.000000,2026-05-05 00:00:00.000000
  c,scheduler,no schema,2,0,2026-05-02 00:00:00.000000,2026-05-02 00:00:00.000000
*/
SELECT
    cluster,
    source,
    replaceRegexpAll(reason, '[0-9]+', '#') AS why,
    sum(messages) AS messages_refused,
    uniqExact(file) AS files,
    min(time) AS first_time,
    max(time) AS last_time
FROM dead_letters
WHERE time >= {since:DateTime64(6, 'UTC')} AND time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, source, why
ORDER BY messages_refused DESC, cluster, source, why
