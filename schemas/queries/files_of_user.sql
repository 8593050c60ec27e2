/*
title: Files of a user
question: Which files did the programs of a user read and write most?
note: Reads totals of hours; of the last day, and of hours that something has just landed of, the records of the user's logs.
  They are kept for a year.
parameters:
  user: {type: String, meaning: whose files}
  limit: {type: UInt32, default: 50, meaning: how many files}
example: |
  cluster,name,runs,runs_that_wrote,gib_read,gib_written,gib_size
  c,/s/ann/in,1,0,20,0,20
  c,/s/ann/out,2,1,10,5,5
  c,/s/ann/sub/log,1,1,0,1,1
*/
WITH
    -- One value, so that it is looked up once: files by their numbers, as the engine adds up by names four times as slowly,
    -- each with a time at which its name is found.
    (
        SELECT groupArray((file, found, runs, runs_that_wrote, bytes_read, bytes_written, extent_bytes))
        FROM
        (
            SELECT
                file,
                max(time) AS found,
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
    ) AS files,
    named AS
    (
        SELECT file, cluster, name
        FROM user_file_totals_versions
        WHERE user = {user:String} AND {cluster:String} IN ('', cluster) AND hour IN files.2 AND file IN files.1
        UNION ALL
        SELECT sipHash64(cluster, name) AS file, cluster, name
        FROM file_records
        WHERE {cluster:String} IN ('', cluster) AND start_time IN files.2 AND file IN files.1
    )
SELECT
    cluster,
    name,
    most.3 AS runs,
    most.4 AS runs_that_wrote,
    round(most.5 / pow(1024, 3), 3) AS gib_read,
    round(most.6 / pow(1024, 3), 3) AS gib_written,
    round(most.7 / pow(1024, 3), 3) AS gib_size
FROM (SELECT arrayJoin(files) AS most, most.1 AS file) AS counted
INNER JOIN (SELECT file, any(cluster) AS cluster, any(name) AS name FROM named GROUP BY file) AS known USING (file)
ORDER BY most.5 + most.6 DESC, cluster, name
