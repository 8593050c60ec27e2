-- A row for each interface that a run used. Layers of one run count each: what MPI-IO moves is POSIX below.
SELECT
    start_time AS time,
    cluster,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    ifNull(filesystem, '(none)') AS filesystem,
    interface,
    ifNull(bytes_read, 0) + ifNull(bytes_written, 0) AS bytes,
    run_nodes * run_time_seconds / 3600 AS node_hours
FROM runs
ARRAY JOIN arrayDistinct(
    arrayMap(
        module -> multiIf(module IN ('H5F', 'H5D'), 'HDF5', startsWith(module, 'PNETCDF'), 'PnetCDF', module IN ('DFS', 'DAOS'), 'DAOS', module),
        arrayFilter(module -> module IN ('POSIX', 'MPI-IO', 'STDIO', 'H5F', 'H5D', 'PNETCDF_FILE', 'PNETCDF_VAR', 'DFS', 'DAOS'), modules)
    )
) AS interface
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
