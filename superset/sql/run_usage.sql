-- What runs moved, with which interfaces and in which files, whole days added up.
WITH
    -- days up to a month of what there is in the range, weeks up to half a year, else months; the first and last times of
    -- a table stand in its parts, nothing is read
    (
        SELECT dateDiff('day', greatest(min(start_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(start_time), toDateTime64('{{ until }}', 6, 'UTC')))
        FROM runs_versions
    ) AS days
SELECT
    time,
    toDateTime(multiIf(days <= 31, toStartOfDay(time), days <= 183, toStartOfWeek(time, 1), toStartOfMonth(time)), 'UTC') AS period,
    cluster,
    user,
    account,
    filesystem,
    program,
    runs,
    bytes_read AS read_bytes,
    bytes_written AS written_bytes,
    io_time_seconds,
    timed_io_seconds,
    run_time_seconds,
    node_hours,
    rated_bytes,
    rated_node_seconds,
    interface_runs[1] AS posix_runs,
    interface_runs[2] AS mpiio_runs,
    interface_runs[3] AS stdio_runs,
    interface_runs[4] AS hdf5_runs,
    interface_runs[5] AS pnetcdf_runs,
    interface_runs[6] AS daos_runs,
    data_files,
    data_file_bytes,
    sized_files,
    unique_files,
    partial_files,
    shared_files,
    unique_file_bytes,
    partial_file_bytes,
    shared_file_bytes,
    reread_bytes
FROM run_totals(since = '{{ since }}', until = '{{ until }}')
WHERE {{ of_center }}
