-- A share of I/O time is of the runs whose I/O time is known: the run time of the others stood below it, so that the shares of
-- users and projects were too low. All days are added up again; until a day is, its rows are read.
CREATE OR REPLACE VIEW run_measures AS
SELECT
    start_time,
    toDate(start_time) AS day,
    cluster,
    ifNull(runs.user, '(unknown)') AS user,
    ifNull(runs.account, '(unknown)') AS account,
    ifNull(runs.filesystem, '(none)') AS filesystem,
    program,
    job_join,
    runs.verdict AS verdict,
    ifNull(slow, 0) AS is_slow,
    nprocs > 1 AS is_parallel,
    toUInt64(1) AS runs,
    ifNull(runs.bytes_read, 0) AS bytes_read,
    ifNull(runs.bytes_written, 0) AS bytes_written,
    ifNull(runs.io_time_seconds, 0) AS io_time_seconds,
    if(runs.run_time_seconds > 0, io_time_seconds, 0) AS timed_io_seconds,
    if(runs.io_time_seconds IS NULL, 0, ifNull(runs.run_time_seconds, 0)) AS run_time_seconds,
    ifNull(run_nodes * runs.run_time_seconds / 3600, 0) AS node_hours,
    if(nodes IS NULL OR runs.io_time_seconds IS NULL, 0, ifNull(application_bytes, 0)) AS rated_bytes,
    if(application_bytes IS NULL, 0, ifNull(nodes * runs.io_time_seconds, 0)) AS rated_node_seconds,
    ifNull(runs.node_hours_lost, 0) AS node_hours_lost,
    if(runs.node_hours_lost IS NULL, 0, node_hours) AS judged_node_hours,
    -- POSIX, MPI-IO, STDIO, HDF5, PnetCDF, DAOS; what Darshan adds about the same accesses is no interface
    [
        toUInt64(has(modules, 'POSIX')),
        toUInt64(has(modules, 'MPI-IO')),
        toUInt64(has(modules, 'STDIO')),
        toUInt64(hasAny(modules, ['H5F', 'H5D'])),
        toUInt64(hasAny(modules, ['PNETCDF_FILE', 'PNETCDF_VAR'])),
        toUInt64(hasAny(modules, ['DFS', 'DAOS']))
    ] AS interface_runs,
    arrayMap(used -> used * (bytes_read + bytes_written), interface_runs) AS interface_bytes,
    arrayMap(used -> used * node_hours, interface_runs) AS interface_node_hours,
    ifNull(runs.data_files, 0) AS data_files,
    ifNull(data_files * mean_data_file_bytes, 0) AS data_file_bytes,
    if(mean_data_file_bytes IS NULL, 0, data_files) AS sized_files,
    -- by the mean size of the run's files: from 0, 4 KiB, 64 KiB, 1 MiB, 16 MiB, 256 MiB, 4 GiB, 64 GiB
    arrayMap(
        bytes -> if(
            mean_data_file_bytes IS NOT NULL
            AND roundDown(
                ifNull(mean_data_file_bytes, 0), [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]
            ) = bytes,
            data_files,
            0
        ),
        [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]
    ) AS files_by_size,
    ifNull(runs.unique_files, 0) AS unique_files,
    if(runs.unique_files IS NULL, 0, ifNull(runs.partial_files, 0)) AS partial_files,
    if(runs.unique_files IS NULL, 0, ifNull(runs.shared_files, 0)) AS shared_files,
    ifNull(runs.unique_file_bytes, 0) AS unique_file_bytes,
    if(runs.unique_file_bytes IS NULL, 0, ifNull(runs.partial_file_bytes, 0)) AS partial_file_bytes,
    if(runs.unique_file_bytes IS NULL, 0, ifNull(runs.shared_file_bytes, 0)) AS shared_file_bytes,
    ifNull(runs.reread_bytes, 0) AS reread_bytes,
    -- in Darshan's bins: from 0 B, 100 B, 1 KiB, 10 KiB, 100 KiB, 1 MiB, 4 MiB, 10 MiB, 100 MiB, 1 GiB
    [
        ifNull(posix_size_read_0_100, 0), ifNull(posix_size_read_100_1k, 0), ifNull(posix_size_read_1k_10k, 0),
        ifNull(posix_size_read_10k_100k, 0), ifNull(posix_size_read_100k_1m, 0), ifNull(posix_size_read_1m_4m, 0),
        ifNull(posix_size_read_4m_10m, 0), ifNull(posix_size_read_10m_100m, 0), ifNull(posix_size_read_100m_1g, 0),
        ifNull(posix_size_read_1g_plus, 0)
    ] AS reads_by_size,
    [
        ifNull(posix_size_write_0_100, 0), ifNull(posix_size_write_100_1k, 0), ifNull(posix_size_write_1k_10k, 0),
        ifNull(posix_size_write_10k_100k, 0), ifNull(posix_size_write_100k_1m, 0), ifNull(posix_size_write_1m_4m, 0),
        ifNull(posix_size_write_4m_10m, 0), ifNull(posix_size_write_10m_100m, 0), ifNull(posix_size_write_100m_1g, 0),
        ifNull(posix_size_write_1g_plus, 0)
    ] AS writes_by_size
FROM runs;

ALTER TABLE run_totals_versions COMMENT COLUMN run_time_seconds 'sum over the runs whose run time and I/O time are known';

INSERT INTO days_of_totals (table, day, landed_at)
SELECT table, day, now64(6, 'UTC') FROM days_with_totals WHERE table = 'runs';
