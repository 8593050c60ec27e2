/*
title: Adoption of an interface
question: Does the use of an I/O library grow, week by week?
note: share_of_bytes is of all bytes of the runs that used it, through whatever interface they went. A program that prints
  its output uses STDIO, too.
parameters:
  module: {type: String, default: H5F, meaning: "Darshan's module of it: H5F, H5D, PNETCDF_FILE, MPI-IO, STDIO, DFS, DAOS"}
example: |
  cluster,week,all_runs,runs,share_of_runs,share_of_bytes,users
  c,2026-05-04,2,1,0.5,0.8,1
  c,2026-06-01,1,0,0,0,0
*/
SELECT
    cluster,
    toMonday(time) AS week,
    sum(totals.runs) AS all_runs,
    sumIf(totals.runs, has(splitByChar(' ', modules), {module:String})) AS runs,
    round(runs / all_runs, 3) AS share_of_runs,
    round(sumIf(bytes_moved, has(splitByChar(' ', modules), {module:String})) / nullIf(sum(bytes_moved), 0), 3) AS share_of_bytes,
    uniqExactIf(user, has(splitByChar(' ', modules), {module:String}) AND user != '(unknown)') AS users
FROM run_io_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, week
ORDER BY cluster, week
