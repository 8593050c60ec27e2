/*
title: Programs that read a file
question: Which programs of whom read a file, how much of it, and when last?
note: Reads what the index of names points at in the records of the months of the range.
parameters:
  file: {type: String, meaning: its whole path}
*/
SELECT
    cluster,
    program,
    user,
    count() AS runs,
    round(sum(bytes) / pow(1024, 3), 3) AS gib_read,
    countIf(by_all) AS runs_with_all_processes,
    max(started) AS last_start
FROM
(
    SELECT cluster, log_id, sum(bytes_read) AS bytes, min(rank) = -1 AS by_all
    FROM file_records
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster) AND name = {file:String} AND bytes_read > 0
    GROUP BY cluster, log_id
) AS readers
INNER JOIN
(
    SELECT cluster, log_id, program, user, start_time AS started
    FROM runs
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster)
) AS known USING (cluster, log_id)
GROUP BY cluster, program, user
ORDER BY sum(bytes) DESC, cluster, program, user
