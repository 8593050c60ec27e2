/*
title: Projects by bytes moved
question: Which projects move most data, with how many jobs and runs, and how much of it are reads?
note: Of the projects that have runs with a log all jobs that started in the range count, those without a log, too. Of
  runs without a job it is not known how many they would be.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many projects}
example: |
  cluster,account,jobs,runs,tib_moved,read_share
  c,proj,3,2,5,0.2
  c,other,1,1,1,1
*/
SELECT
    cluster,
    nullIf(moved.account, '(unknown)') AS account,
    if(moved.account = '(unknown)', NULL, known.jobs) AS jobs,
    moved.runs AS runs,
    round((moved.bytes_read + moved.bytes_written) / pow(1024, 4), 3) AS tib_moved,
    round(moved.bytes_read / nullIf(moved.bytes_read + moved.bytes_written, 0), 3) AS read_share
FROM
(
    SELECT
        cluster,
        account,
        sum(totals.runs) AS runs,
        sum(totals.bytes_read) AS bytes_read,
        sum(totals.bytes_written) AS bytes_written
    FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, account
) AS moved
LEFT JOIN
(
    SELECT cluster, account, sum(totals.jobs) AS jobs
    FROM job_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, account
) AS known USING (cluster, account)
ORDER BY moved.bytes_read + moved.bytes_written DESC, cluster, account
LIMIT {limit:UInt32}
