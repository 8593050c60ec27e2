/*
title: Files of a user
question: Which files did the programs of a user read and write most?
days: 7
note: Reads the records of the user's logs, and of about two thousand logs in a second.
parameters:
  user: {type: String, meaning: whose files}
  limit: {type: UInt32, default: 50, meaning: how many files}
example: |
  cluster,name,runs,runs_that_wrote,gib_read,gib_written,gib_size
  c,/s/ann/in,1,0,20,0,20
  c,/s/ann/out,2,1,10,5,5
  c,/s/ann/sub/log,1,1,0,1,1
*/
SELECT
    cluster,
    name,
    uniqExact(log_id) AS runs,
    uniqExactIf(log_id, bytes_written > 0) AS runs_that_wrote,
    round(sum(bytes_read) / pow(1024, 3), 3) AS gib_read,
    round(sum(bytes_written) / pow(1024, 3), 3) AS gib_written,
    round(max(extent_bytes) / pow(1024, 3), 3) AS gib_size
FROM file_records
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
    AND (cluster, start_time, log_id) IN
    (
        SELECT cluster, start_time, log_id
        FROM runs
        WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
            AND {cluster:String} IN ('', cluster) AND user = {user:String}
            -- the table is sorted by time
            AND toDate(start_time) IN
            (
                SELECT toDate(time)
                FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
                WHERE {cluster:String} IN ('', cluster) AND user = {user:String}
            )
    )
GROUP BY cluster, name
ORDER BY sum(bytes_read) + sum(bytes_written) DESC, cluster, name
LIMIT {limit:UInt32}
