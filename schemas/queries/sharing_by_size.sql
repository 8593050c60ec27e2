/*
title: Shared files or one file per process, by number of processes
question: Which share of the runs of each size, and of their bytes, goes to files of one process, of some processes,
  of all?
note: A run counts where most of its bytes went. Runs of one process share nothing and are left out.
source: Carns et al. 2011, Figure 3, which counts jobs and bytes
*/
SELECT
    cluster,
    toUInt64(exp10(length(toString(nprocs)) - 1)) AS processes_from,
    count() AS runs,
    round(countIf(has(traits, 'N:N')) / runs, 3) AS file_per_process,
    round(countIf(has(traits, 'N:M')) / runs, 3) AS partly_shared,
    round(countIf(has(traits, 'N:1')) / runs, 3) AS shared,
    round(countIf(has(traits, 'no_files')) / runs, 3) AS no_files,
    round(sumIf(ifNull(bytes_moved, 0), has(traits, 'N:N')) / nullIf(sum(bytes_moved), 0), 3) AS bytes_file_per_process,
    round(sumIf(ifNull(bytes_moved, 0), has(traits, 'N:M')) / nullIf(sum(bytes_moved), 0), 3) AS bytes_partly_shared,
    round(sumIf(ifNull(bytes_moved, 0), has(traits, 'N:1')) / nullIf(sum(bytes_moved), 0), 3) AS bytes_shared
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster) AND nprocs > 1
GROUP BY cluster, processes_from
ORDER BY cluster, processes_from
