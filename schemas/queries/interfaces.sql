/*
title: Use of I/O interfaces
question: Which share of the runs uses POSIX, MPI-IO, STDIO, HDF5, PnetCDF or DAOS?
note: A program that prints its output uses STDIO, too.
source: Carns et al. 2011, Table II, names the interfaces of each project
example: |
  cluster,module,runs,share,users
  c,POSIX,3,1,2
  c,MPI-IO,1,0.333,1
  c,STDIO,1,0.333,1
*/
SELECT
    cluster,
    arrayJoin(splitByChar(' ', modules)) AS module,
    sum(runs_alike) AS runs,
    round(runs / any(all_runs), 3) AS share,
    uniqExactMerge(users_alike) AS users
FROM
(
    SELECT
        cluster,
        modules,
        sum(runs) AS runs_alike,
        sum(sum(runs)) OVER (PARTITION BY cluster) AS all_runs,
        uniqExactState(nullIf(user, '(unknown)')) AS users_alike
    FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, modules
)
-- what other modules record is about the same accesses, or about no files
WHERE module IN ('POSIX', 'MPI-IO', 'STDIO', 'H5F', 'H5D', 'PNETCDF_FILE', 'PNETCDF_VAR', 'DFS', 'DAOS')
GROUP BY cluster, module
ORDER BY cluster, runs DESC, module
