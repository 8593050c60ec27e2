/*
title: Files per run
question: How many files do runs open, and where do most of the files come from?
note: Of a log that lacks parts those files count that came.
source: Carns et al. 2011, Table II, gives the files of each project
example: |
  cluster,files_from,runs,share_of_runs,files_opened,share_of_files,users
  c,0,1,0.333,0,0,1
  c,1,1,0.333,8,0.167,1
  c,10,1,0.333,40,0.833,1
*/
SELECT
    cluster,
    bin.1 AS files_from,
    sum(bin.2) AS runs,
    round(runs / sum(sum(bin.2)) OVER (PARTITION BY cluster), 3) AS share_of_runs,
    sum(bin.3) AS files_opened,
    round(files_opened / nullIf(sum(sum(bin.3)) OVER (PARTITION BY cluster), 0), 3) AS share_of_files,
    uniqExact(user) AS users
FROM
(
    SELECT
        cluster,
        nullIf(user, '(unknown)') AS user,
        arrayZip([0, 1, 10, 100, 1000, 10000, 100000, 1000000], sumForEach(runs_by_files), sumForEach(files_by_files)) AS bins
    FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, user
)
ARRAY JOIN bins AS bin
WHERE bin.2 > 0
GROUP BY cluster, files_from
ORDER BY cluster, files_from
