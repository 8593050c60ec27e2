/*
title: Sizes of files
question: How large are the files that runs use, and how many of them are small?
note: A file counts once for each run that used it. A run counts with the mean size of its files, which is known up to their last byte read or written, and of a damaged
  log not at all.
source: Carns et al. 2011, who count the files of the file system by their size
example: |
  cluster,from_bytes,runs,files,share_of_files,tib
  c,4096,1,40,0.93,0
  c,1048576,1,3,0.07,0
*/
SELECT
    cluster,
    bin.1 AS from_bytes,
    bin.2 AS runs,
    toUInt64(bin.3) AS files,
    round(files / sum(bin.3) OVER (PARTITION BY cluster), 3) AS share_of_files,
    round(bin.4 / pow(1024, 4), 3) AS tib
FROM
(
    SELECT
        cluster,
        arrayZip(
            [0, 4096, 65536, 1048576, 16777216, 268435456, 4294967296, 68719476736],
            sumForEach(runs_by_size),
            sumForEach(files_by_size),
            sumForEach(file_bytes_by_size)
        ) AS bins
    FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster
)
ARRAY JOIN bins AS bin
WHERE bin.2 > 0
ORDER BY cluster, from_bytes
