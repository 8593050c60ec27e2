/*
title: Programs that read a file
question: Which programs of whom read a file, how much of it, and when last?
note: Reads totals of hours; of the last day, and of hours that something has just landed of, the records of the file.
  They are kept for a year. Runs of one process read with all of theirs.
parameters:
  file: {type: String, meaning: its whole path}
example: |
  cluster,program,user,runs,gib_read,runs_with_all_processes,last_start
  c,app,ann,1,10,0,2026-06-02 10:00:00.000000
  c,sim,bob,1,5,1,2026-05-10 10:00:00.000000
*/
SELECT
    cluster,
    program,
    nullIf(total.user, '') AS user,
    sum(total.runs) AS runs,
    round(sum(total.bytes_read) / pow(1024, 3), 3) AS gib_read,
    sum(total.runs_with_all_processes) AS runs_with_all_processes,
    max(total.last_start) AS last_start
FROM file_reader_totals
(
    since = {since:DateTime64(6, 'UTC')},
    until = {until:DateTime64(6, 'UTC')},
    file = {file:String}
) AS total
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, program, user
ORDER BY sum(total.bytes_read) DESC, cluster, program, user
