-- One row a run: what it moved, with which interfaces and in which files.
WITH
    -- days up to a month of what there is in the range, weeks up to half a year, else months; the first and last times of
    -- a table stand in its parts, nothing is read
    (
        SELECT dateDiff('day', greatest(min(start_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(start_time), toDateTime64('{{ until }}', 6, 'UTC')))
        FROM runs_versions
    ) AS days
SELECT
    start_time AS time,
    toDateTime(multiIf(days <= 31, toStartOfDay(start_time), days <= 183, toStartOfWeek(start_time, 1), toStartOfMonth(start_time)), 'UTC') AS period,
    cluster,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    ifNull(filesystem, '(none)') AS filesystem,
    program,
    ifNull(bytes_read, 0) AS read_bytes,
    ifNull(bytes_written, 0) AS written_bytes,
    io_time_seconds,
    run_time_seconds,
    run_nodes * run_time_seconds / 3600 AS node_hours,
    application_bytes,
    -- null without the scheduler's record
    nodes * io_time_seconds AS node_io_seconds,
    -- what Darshan adds about the same accesses is no interface
    arrayDistinct(
        arrayFilter(
            interface -> interface != '',
            arrayMap(
                module -> multiIf(
                    module IN ('H5F', 'H5D'), 'HDF5',
                    startsWith(module, 'PNETCDF'), 'PnetCDF',
                    module IN ('DFS', 'DAOS'), 'DAOS',
                    module IN ('POSIX', 'MPI-IO', 'STDIO'), module,
                    ''
                ),
                modules
            )
        )
    ) AS interfaces,
    data_files,
    roundDown(assumeNotNull(mean_data_file_bytes), [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]) AS file_bytes_from,
    data_files * mean_data_file_bytes AS extents,
    ifNull(unique_files, 0) AS unique_files,
    ifNull(partial_files, 0) AS partial_files,
    ifNull(shared_files, 0) AS shared_files,
    ifNull(unique_file_bytes, 0) AS unique_file_bytes,
    ifNull(partial_file_bytes, 0) AS partial_file_bytes,
    ifNull(shared_file_bytes, 0) AS shared_file_bytes,
    ifNull(reread_bytes, 0) AS reread_bytes
FROM runs
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
