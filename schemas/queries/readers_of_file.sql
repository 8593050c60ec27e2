/*
title: Programs that read a file
question: Which programs of whom read a file, how much of it, and when last?
note: Reads the logs that times_of_files points at, and about two thousand of them in a second.
parameters:
  file: {type: String, meaning: its whole path}
example: |
  cluster,program,user,runs,gib_read,runs_with_all_processes,last_start
  c,app,ann,1,10,0,2026-06-02 10:00:00.000000
  c,sim,bob,1,5,1,2026-05-10 10:00:00.000000
*/
WITH readers AS
(
    SELECT cluster, start_time, log_id, sum(bytes_read) AS bytes, min(rank) = -1 AS by_all
    FROM file_records
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster) AND name = {file:String} AND bytes_read > 0
        -- the records are sorted by time
        AND start_time IN
        (
            SELECT time
            FROM times_of_files
            WHERE time >= {since:DateTime64(6, 'UTC')} AND time < {until:DateTime64(6, 'UTC')}
                AND {cluster:String} IN ('', cluster) AND file = sipHash64({file:String})
        )
    GROUP BY cluster, start_time, log_id
)
SELECT
    cluster,
    program,
    user,
    count() AS runs,
    round(sum(bytes) / pow(1024, 3), 3) AS gib_read,
    countIf(by_all) AS runs_with_all_processes,
    max(start_time) AS last_start
FROM
(
    SELECT cluster, start_time, log_id, program, user
    FROM runs
    WHERE {cluster:String} IN ('', cluster)
        AND (cluster, start_time, log_id) IN (SELECT cluster, start_time, log_id FROM readers)
) AS known
INNER JOIN readers USING (cluster, start_time, log_id)
GROUP BY cluster, program, user
ORDER BY sum(bytes) DESC, cluster, program, user
