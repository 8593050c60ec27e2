/*
title: Directories of a user
question: Into which directories do the programs of a user put most bytes and files?
days: 7
note: Reads the records of the user's logs, and of about two thousand logs in a second.
parameters:
  user: {type: String, meaning: whose directories}
  depth: {type: UInt8, default: 4, meaning: how many levels of the path count}
  limit: {type: UInt32, default: 50, meaning: how many directories}
example: |
  cluster,directory,files,runs,gib_read,gib_written
  c,/s/ann,2,2,30,5
  c,/s/ann/sub,1,1,0,1
*/
SELECT
    cluster,
    arrayStringConcat(arraySlice(arrayPopBack(splitByChar('/', name)), 1, {depth:UInt8} + 1), '/') AS directory,
    uniqExact(record_id) AS files,
    uniqExact(log_id) AS runs,
    round(sum(bytes_read) / pow(1024, 3), 3) AS gib_read,
    round(sum(bytes_written) / pow(1024, 3), 3) AS gib_written
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
GROUP BY cluster, directory
ORDER BY sum(bytes_read) + sum(bytes_written) DESC, cluster, directory
LIMIT {limit:UInt32}
