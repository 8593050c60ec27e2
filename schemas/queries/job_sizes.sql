/*
title: Runs, node-hours and bytes by number of processes
question: Do the large runs or the many small ones move the bytes, and how fast is each size per node?
source: Carns et al. 2011, who set the jobs of each size beside their core hours
*/
SELECT
    cluster,
    toUInt64(exp10(length(toString(nprocs)) - 1)) AS processes_from,
    count() AS runs,
    round(runs / sum(count()) OVER (PARTITION BY cluster), 3) AS share_of_runs,
    round(sum(run_nodes * run_time_seconds) / 3600, 1) AS node_hours,
    round(sum(bytes_moved) / pow(1024, 4), 3) AS tib_moved,
    round(sum(bytes_moved) / sum(sum(bytes_moved)) OVER (PARTITION BY cluster), 3) AS share_of_bytes,
    round(median(mib_per_second_per_node), 1) AS median_mib_per_second_per_node
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, processes_from
ORDER BY cluster, processes_from
