/*
title: Adoption of an interface
question: Does the use of an I/O library grow, week by week?
parameters:
  module: {type: String, default: H5F, meaning: "Darshan's module of it: H5F, H5D, PNETCDF_FILE, MPI-IO, STDIO, DFS, DAOS"}
*/
SELECT
    cluster,
    toMonday(start_time) AS week,
    count() AS all_runs,
    countIf(has(modules, {module:String})) AS runs,
    round(runs / all_runs, 3) AS share_of_runs,
    round(sumIf(ifNull(bytes_moved, 0), has(modules, {module:String})) / nullIf(sum(bytes_moved), 0), 3) AS share_of_bytes,
    uniqExactIf(user, has(modules, {module:String})) AS users
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, week
ORDER BY cluster, week
