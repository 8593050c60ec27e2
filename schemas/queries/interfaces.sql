/*
title: Use of I/O interfaces
question: Which share of the runs uses POSIX, MPI-IO, STDIO, HDF5, PnetCDF or DAOS?
source: Carns et al. 2011, Table II, names the interfaces of each project
*/
SELECT
    cluster,
    arrayJoin(modules) AS module,
    count() AS runs,
    round(runs / max(all_runs), 3) AS share,
    uniqExact(user) AS users
FROM
(
    SELECT cluster, arrayDistinct(modules) AS modules, user, count() OVER (PARTITION BY cluster) AS all_runs
    FROM runs
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster)
)
-- what Darshan adds about the same accesses is no interface
WHERE module NOT IN ('HEATMAP', 'LUSTRE', 'DXT_POSIX', 'DXT_MPIIO')
GROUP BY cluster, module
ORDER BY cluster, runs DESC, module
