/*
title: How each project does its I/O
question: Through which interfaces, with how many processes and files, how fast per node and with how much metadata
  does each project do its I/O?
note: P is POSIX, S STDIO, M MPI-IO, H HDF5, N PnetCDF, D DAOS; a program that prints its output has an S. The rate is that of all bytes of the project, where Carns
  has the median of its runs.
source: Carns et al. 2011, Table II
parameters:
  limit: {type: UInt32, default: 20, meaning: how many projects}
example: |
  cluster,account,runs,share_of_bytes,mib_per_second_per_node,metadata_share,interfaces,fewest_processes,most_processes,files_per_process
  c,proj,2,0.833,5,0.108,P S M,1,4,1.6
  c,other,1,0.167,20,0.9,P,4,4,10
*/
WITH splitByChar(' ', arrayStringConcat(groupUniqArray(totals.modules), ' ')) AS used
SELECT
    cluster,
    nullIf(account, '(unknown)') AS account,
    sum(runs) AS runs,
    round(sum(bytes_moved) / nullIf(sum(sum(bytes_moved)) OVER (PARTITION BY cluster), 0), 3) AS share_of_bytes,
    round(sum(rated_bytes) / nullIf(sum(rated_node_seconds), 0) / pow(1024, 2), 1) AS mib_per_second_per_node,
    round(
        sum(metadata_seconds) / nullIf(sum(metadata_seconds) + sum(read_seconds) + sum(write_seconds), 0),
        3
    ) AS metadata_share,
    arrayStringConcat(
        arrayMap(
            interface -> interface.1,
            arrayFilter(
                interface -> hasAny(used, interface.2),
                [
                    ('P', ['POSIX']), ('S', ['STDIO']), ('M', ['MPI-IO']), ('H', ['H5F', 'H5D']),
                    ('N', ['PNETCDF_FILE', 'PNETCDF_VAR']), ('D', ['DFS', 'DAOS'])
                ]
            )
        ),
        ' '
    ) AS interfaces,
    min(fewest_processes) AS fewest_processes,
    max(most_processes) AS most_processes,
    round(sum(counted_files) / nullIf(sum(counted_processes), 0), 3) AS files_per_process
FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, account
ORDER BY sum(bytes_moved) DESC, cluster, account
LIMIT {limit:UInt32}
