/*
title: Use of I/O interfaces
question: Which share of the runs uses POSIX, MPI-IO, STDIO, HDF5, PnetCDF or DAOS?
source: Carns et al. 2011, Table II, names the interfaces of each project
*/
SELECT
    arrayJoin(modules) AS module,
    count() AS runs,
    round(runs / max(all_runs), 3) AS share,
    uniqExact(user) AS users
FROM
(
    SELECT arrayDistinct(modules) AS modules, user, count() OVER () AS all_runs
    FROM runs
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
)
-- what Darshan adds about the same accesses is no interface
WHERE module NOT IN ('HEATMAP', 'LUSTRE', 'DXT_POSIX', 'DXT_MPIIO')
GROUP BY module
ORDER BY runs DESC, module
