/*
title: Sizes of requests
question: How many POSIX reads and writes on file systems of the site have which size?
note: The edge is inclusive; the last line has no edge. Reads of the first line may be of 0 bytes, at the end of a file.
source: Carns et al. 2011, who give access sizes as a histogram
example: |
  cluster,up_to_bytes,reads,share_of_reads,writes,share_of_writes
  c,100,0,0,210,0.7
  c,1024,0,0,0,0
  c,10240,0,0,0,0
  c,102400,0,0,0,0
  c,1048576,90,0.818,0,0
  c,4194304,20,0.182,0,0
  c,10485760,0,0,0,0
  c,104857600,0,0,0,0
  c,1073741824,0,0,0,0
  c,\N,0,0,90,0.3
*/
SELECT
    cluster,
    bin.1 AS up_to_bytes,
    toUInt64(sum(bin.2)) AS reads,
    round(sum(bin.2) / nullIf(sum(sum(bin.2)) OVER (PARTITION BY cluster), 0), 3) AS share_of_reads,
    toUInt64(sum(bin.3)) AS writes,
    round(sum(bin.3) / nullIf(sum(sum(bin.3)) OVER (PARTITION BY cluster), 0), 3) AS share_of_writes
FROM
(
    SELECT cluster, sumForEach(reads_by_size) AS reads_by_size, sumForEach(writes_by_size) AS writes_by_size
    FROM run_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster
)
ARRAY JOIN arrayZip(
    [100, 1024, 10240, 102400, 1048576, 4194304, 10485760, 104857600, 1073741824, NULL], reads_by_size, writes_by_size
) AS bin
GROUP BY cluster, up_to_bytes
ORDER BY cluster, up_to_bytes ASC NULLS LAST
