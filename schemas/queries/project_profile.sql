/*
title: How each project does its I/O
question: Through which interfaces, with how many processes and files, how fast per node and with how much metadata
  does each project do its I/O?
note: P is POSIX, S STDIO, M MPI-IO, H HDF5, N PnetCDF, D DAOS.
source: Carns et al. 2011, Table II
parameters:
  limit: {type: UInt32, default: 20, meaning: how many projects}
*/
SELECT
    cluster,
    account,
    count() AS runs,
    round(sum(bytes_moved) / sum(sum(bytes_moved)) OVER (PARTITION BY cluster), 3) AS share_of_bytes,
    round(median(mib_per_second_per_node), 1) AS median_mib_per_second_per_node,
    round(
        sum(metadata_seconds) / nullIf(sum(metadata_seconds) + sum(read_seconds) + sum(write_seconds), 0),
        3
    ) AS metadata_share,
    arrayStringConcat(
        arrayFilter(letter -> has(groupUniqArrayArray(traits), letter), ['P', 'S', 'M', 'H', 'N', 'D']),
        ' '
    ) AS interfaces,
    min(nprocs) AS fewest_processes,
    max(nprocs) AS most_processes,
    round(sum(files) / sumIf(nprocs, files IS NOT NULL), 3) AS files_per_process
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, account
ORDER BY sum(bytes_moved) DESC, cluster, account
LIMIT {limit:UInt32}
