/*
title: Files of a user
question: Which files did the programs of a user read and write most?
note: Reads totals of hours; of the last day, and of hours that something has just landed of, the records of the user's logs.
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
    substring(file, 1, position(file, ' ') - 1) AS cluster,
    substring(file, position(file, ' ') + 1) AS name,
    runs,
    runs_that_wrote,
    round(bytes_read / pow(1024, 3), 3) AS gib_read,
    round(bytes_written / pow(1024, 3), 3) AS gib_written,
    round(extent_bytes / pow(1024, 3), 3) AS gib_size
FROM
(
    SELECT
        -- one text, as the engine adds up by two twice as slowly; there is no space in the name of a cluster
        concat(cluster, ' ', name) AS file,
        sum(length(logs)) AS runs,
        sum(logs_that_wrote) AS runs_that_wrote,
        sum(total.bytes_read) AS bytes_read,
        sum(total.bytes_written) AS bytes_written,
        max(total.extent_bytes) AS extent_bytes
    FROM user_file_totals
    (
        since = {since:DateTime64(6, 'UTC')},
        until = {until:DateTime64(6, 'UTC')},
        user = {user:String}
    ) AS total
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY file
    ORDER BY bytes_read + bytes_written DESC, file
    LIMIT {limit:UInt32}
)
ORDER BY bytes_read + bytes_written DESC, file
