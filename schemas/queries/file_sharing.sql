/*
title: How files are shared by ranks
question: How many files, and how many of their bytes, belong to one rank, to some ranks, to all of them?
note: A file counts once for each run that used it. Runs of one process share nothing and are left out.
source: Carns et al. 2011, who found partially shared files beside those of one rank and of all
example: |
  cluster,opened_by,files,gib,runs
  c,all ranks,1,3,1
  c,one rank,42,2,2
  c,some ranks,0,0,0
*/
SELECT
    cluster,
    sharing.1 AS opened_by,
    sharing.2 AS files,
    round(sharing.3 / pow(1024, 3), 3) AS gib,
    sharing.4 AS runs
FROM
(
    SELECT
        cluster,
        arrayZip(
            ['one rank', 'some ranks', 'all ranks'],
            sumForEach(files_by_opening),
            sumForEach(file_bytes_by_opening),
            sumForEach(runs_by_opening)
        ) AS sharings
    FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
    WHERE {cluster:String} IN ('', cluster) AND is_parallel = 1
    GROUP BY cluster
)
ARRAY JOIN sharings AS sharing
ORDER BY cluster, sharing.3 DESC, opened_by
