/*
title: Runs of one program
question: How fast were the runs of a user's program, day by day?
note: Runs that moved nothing have no rate.
parameters:
  user: {type: String, meaning: whose runs}
  program: {type: String, meaning: as the column program of runs has it}
example: |
  cluster,day,filesystem,runs,median_mib_per_second,slowest,fastest,node_hours_lost
  c,2026-05-10,scratch,1,10,10,10,2.5
  c,2026-06-02,scratch,1,40,40,40,\N
*/
SELECT
    cluster,
    toDate(start_time) AS day,
    filesystem,
    count() AS runs,
    round(medianIf(mib_per_second, mib_per_second > 0), 1) AS median_mib_per_second,
    round(minIf(mib_per_second, mib_per_second > 0), 1) AS slowest,
    round(maxIf(mib_per_second, mib_per_second > 0), 1) AS fastest,
    round(sum(node_hours_lost), 2) AS node_hours_lost
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
    AND user = {user:String} AND program = {program:String}
    -- the table is sorted by time
    AND toDate(start_time) IN
    (
        SELECT toDate(time)
        FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
        WHERE {cluster:String} IN ('', cluster) AND user = {user:String} AND program = {program:String}
    )
GROUP BY cluster, day, filesystem
ORDER BY cluster, day, filesystem
