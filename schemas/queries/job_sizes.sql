/*
title: Runs, node-hours and bytes by number of processes
question: Do the large runs or the many small ones move the bytes, and how fast is each size per node?
source: Carns et al. 2011, who set the jobs of each size beside their core hours
example: |
  cluster,processes_from,runs,share_of_runs,node_hours,tib_moved,share_of_bytes,mib_per_second_per_node
  c,1,3,1,8,6,1,8
*/
SELECT
    cluster,
    processes_from,
    sum(totals.runs) AS runs,
    round(runs / sum(sum(totals.runs)) OVER (PARTITION BY cluster), 3) AS share_of_runs,
    round(sum(totals.node_hours), 1) AS node_hours,
    round(sum(bytes_moved) / pow(1024, 4), 3) AS tib_moved,
    round(sum(bytes_moved) / nullIf(sum(sum(bytes_moved)) OVER (PARTITION BY cluster), 0), 3) AS share_of_bytes,
    round(sum(rated_bytes) / pow(1024, 2) / nullIf(sum(rated_node_seconds), 0), 1) AS mib_per_second_per_node
FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, processes_from
ORDER BY cluster, processes_from
