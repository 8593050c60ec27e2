/*
title: Shared files or one file per process, by number of processes
question: Which share of the runs of each size, and of their bytes, goes to files of one process, of some processes,
  of all?
note: A run counts where most of its bytes went; a damaged log does not say where. Runs of one process share nothing and
  are left out.
source: Carns et al. 2011, Figure 3, which counts jobs and bytes
example: |
  cluster,processes_from,runs,file_per_process,partly_shared,shared,no_files,bytes_file_per_process,bytes_partly_shared,bytes_shared
  c,1,2,0.5,0,0.5,0,0.2,0,0.8
*/
SELECT
    cluster,
    processes_from,
    sum(totals.runs) AS runs,
    round(sumIf(totals.runs, sharing = 'N:N') / runs, 3) AS file_per_process,
    round(sumIf(totals.runs, sharing = 'N:M') / runs, 3) AS partly_shared,
    round(sumIf(totals.runs, sharing = 'N:1') / runs, 3) AS shared,
    round(sumIf(totals.runs, sharing = 'no_files') / runs, 3) AS no_files,
    round(sumIf(bytes_moved, sharing = 'N:N') / nullIf(sum(bytes_moved), 0), 3) AS bytes_file_per_process,
    round(sumIf(bytes_moved, sharing = 'N:M') / nullIf(sum(bytes_moved), 0), 3) AS bytes_partly_shared,
    round(sumIf(bytes_moved, sharing = 'N:1') / nullIf(sum(bytes_moved), 0), 3) AS bytes_shared
FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
WHERE {cluster:String} IN ('', cluster) AND is_parallel = 1
GROUP BY cluster, processes_from
ORDER BY cluster, processes_from
