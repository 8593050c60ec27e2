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
    ifNull(runs.run_time_seconds, 0) AS run_time_seconds,
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
        bytes -> if(roundDown(ifNull(mean_data_file_bytes, 0), [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]) = bytes, data_files, 0),
        [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]
    ) AS files_by_size,
    ifNull(runs.unique_files, 0) AS unique_files,
    ifNull(runs.partial_files, 0) AS partial_files,
    ifNull(runs.shared_files, 0) AS shared_files,
    ifNull(runs.unique_file_bytes, 0) AS unique_file_bytes,
    ifNull(runs.partial_file_bytes, 0) AS partial_file_bytes,
    ifNull(runs.shared_file_bytes, 0) AS shared_file_bytes,
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

CREATE OR REPLACE VIEW run_io_measures AS
SELECT
    start_time,
    toDate(start_time) AS day,
    cluster,
    ifNull(runs.user, '(unknown)') AS user,
    ifNull(runs.account, '(unknown)') AS account,
    ifNull(runs.filesystem, '(none)') AS filesystem,
    program,
    log_state,
    nprocs > 1 AS is_parallel,
    toUInt64(exp10(length(toString(nprocs)) - 1)) AS processes_from,
    arrayFirst(trait -> trait IN ('N:N', 'N:M', 'N:1', 'no_files'), traits) AS sharing,
    arrayStringConcat(arraySort(arrayDistinct(runs.modules)), ' ') AS modules,
    nprocs AS fewest_processes,
    nprocs AS most_processes,
    if(runs.files IS NULL OR runs.opens IS NULL, 0, nprocs) AS counted_processes,
    toUInt64(1) AS runs,
    ifNull(run_nodes * run_time_seconds / 3600, 0) AS node_hours,
    ifNull(runs.bytes_moved, 0) AS bytes_moved,
    ifNull(runs.io_time_seconds, 0) AS io_time_seconds,
    if(nodes IS NULL OR runs.io_time_seconds IS NULL, 0, ifNull(application_bytes, 0)) AS rated_bytes,
    if(application_bytes IS NULL, 0, ifNull(nodes * runs.io_time_seconds, 0)) AS rated_node_seconds,
    ifNull(runs.metadata_seconds, 0) AS metadata_seconds,
    ifNull(runs.read_seconds, 0) AS read_seconds,
    ifNull(runs.write_seconds, 0) AS write_seconds,
    ifNull(runs.opens, 0) AS opens,
    ifNull(runs.stats, 0) AS stats,
    if(runs.files IS NULL, 0, opens) AS counted_opens,
    if(runs.opens IS NULL, 0, ifNull(runs.files, 0)) AS counted_files,
    -- by how many files a run has: from 0, 1, 10, 100, 1,000, 10,000, 100,000, 1,000,000
    arrayMap(
        digits -> toUInt64(ifNull(if(runs.files = 0, 0, least(length(toString(runs.files)), 7)) = digits, 0)), range(8)
    ) AS runs_by_files,
    arrayMap(counted -> counted * ifNull(runs.files, 0), runs_by_files) AS files_by_files,
    -- by the mean size of the run's files: from 0, 4 KiB, 64 KiB, 1 MiB, 16 MiB, 256 MiB, 4 GiB, 64 GiB
    arrayMap(
        bytes -> toUInt64(
            ifNull(data_files, 0) > 0
            AND roundDown(
                ifNull(mean_data_file_bytes, 0), [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]
            ) = bytes
        ),
        [1., 4096, 65536, 1048576, 16777216, 268435456, 4294967296., 68719476736.]
    ) AS runs_by_size,
    arrayMap(counted -> counted * ifNull(data_files, 0), runs_by_size) AS files_by_size,
    arrayMap(counted -> counted * ifNull(data_files * mean_data_file_bytes, 0), runs_by_size) AS file_bytes_by_size,
    [
        toUInt64(ifNull(unique_files, 0) > 0), toUInt64(ifNull(partial_files, 0) > 0), toUInt64(ifNull(shared_files, 0) > 0)
    ] AS runs_by_opening,
    [ifNull(unique_files, 0), ifNull(partial_files, 0), ifNull(shared_files, 0)] AS files_by_opening,
    [ifNull(unique_file_bytes, 0), ifNull(partial_file_bytes, 0), ifNull(shared_file_bytes, 0)] AS file_bytes_by_opening,
    ifNull(reads, 0) + ifNull(writes, 0) AS requests,
    ifNull(small_reads, 0) + ifNull(small_writes, 0) AS small_requests,
    [
        toFloat64(ifNull(reads, 0)), ifNull(consecutive_reads, 0), ifNull(sequential_reads, 0), ifNull(random_reads, 0),
        ifNull(random_reads_upper, 0)
    ] AS reads_in_order,
    [
        toFloat64(ifNull(writes, 0)), ifNull(consecutive_writes, 0), ifNull(sequential_writes, 0), ifNull(random_writes, 0),
        ifNull(random_writes_upper, 0)
    ] AS writes_in_order,
    -- what an older run does not say of a file system counts as 0
    mapFromArrays(CAST(filesystems AS Array(String)), arrayMap(name -> toUInt64(1), filesystems)) AS runs_by_filesystem,
    mapFromArrays(
        CAST(filesystems AS Array(String)),
        arrayMap(
            (reads, writes) -> ifNull(reads, 0) + ifNull(writes, 0),
            arrayResize(filesystem_reads, length(filesystems)),
            arrayResize(filesystem_writes, length(filesystems))
        )
    ) AS requests_by_filesystem,
    mapFromArrays(
        CAST(filesystems AS Array(String)),
        arrayMap(count -> ifNull(count, 0), arrayResize(filesystem_surely_unaligned_requests, length(filesystems)))
    ) AS unaligned_by_filesystem,
    mapFromArrays(
        CAST(filesystems AS Array(String)),
        arrayMap(bytes -> ifNull(bytes, 0), arrayResize(filesystem_file_alignment_bytes, length(filesystems)))
    ) AS alignment_by_filesystem,
    ifNull(mpiio_coll_reads, 0) + ifNull(mpiio_coll_writes, 0)
        + ifNull(mpiio_split_reads, 0) + ifNull(mpiio_split_writes, 0) AS collective_operations,
    ifNull(mpiio_indep_reads, 0) + ifNull(mpiio_indep_writes, 0)
        + ifNull(mpiio_nb_reads, 0) + ifNull(mpiio_nb_writes, 0) AS independent_operations,
    ifNull(runs.io_time_mpiio_seconds, 0) AS io_time_mpiio_seconds,
    ifNull(runs.collective_overhead_seconds, 0) AS collective_overhead_seconds,
    ifNull(runs.site_bytes, 0) AS site_bytes,
    ifNull(runs.slow_filesystem_bytes, 0) AS slow_filesystem_bytes,
    if(runs.slow_filesystem_bytes IS NULL, 0, bytes_moved) AS placed_bytes
FROM runs;

INSERT INTO days_of_totals (table, day, landed_at)
SELECT table, day, now64(6, 'UTC') FROM days_with_totals WHERE table IN ('runs', 'run_io');
