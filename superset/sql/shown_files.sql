-- The files that the run, or the job's runs, moved most bytes of or spent most time on: POSIX and STDIO, the layers that move
-- the bytes.
WITH
    shown AS
    (
        SELECT cluster, log_id, start_time, user, account, nprocs
        FROM runs
        WHERE {{ shown }}
    ),
    records AS
    (
        SELECT
            cluster, log_id, start_time, record_id, name, rank, 'POSIX' AS interface,
            ifNull(POSIX_OPENS, 0) AS opened,
            ifNull(POSIX_READS, 0) + ifNull(POSIX_WRITES, 0) AS requested,
            ifNull(POSIX_BYTES_READ, 0) AS read,
            ifNull(POSIX_BYTES_WRITTEN, 0) AS written,
            ifNull(POSIX_F_META_TIME, 0) AS in_metadata,
            ifNull(POSIX_F_READ_TIME, 0) + ifNull(POSIX_F_WRITE_TIME, 0) AS in_data
        FROM posix_records
        WHERE (cluster, log_id, start_time) IN (SELECT cluster, log_id, start_time FROM shown)
        UNION ALL
        SELECT
            cluster, log_id, start_time, record_id, name, rank, 'STDIO' AS interface,
            ifNull(STDIO_OPENS, 0) AS opened,
            ifNull(STDIO_READS, 0) + ifNull(STDIO_WRITES, 0) AS requested,
            ifNull(STDIO_BYTES_READ, 0) AS read,
            ifNull(STDIO_BYTES_WRITTEN, 0) AS written,
            ifNull(STDIO_F_META_TIME, 0) AS in_metadata,
            ifNull(STDIO_F_READ_TIME, 0) + ifNull(STDIO_F_WRITE_TIME, 0) AS in_data
        FROM stdio_records
        WHERE (cluster, log_id, start_time) IN (SELECT cluster, log_id, start_time FROM shown)
    ),
    -- a job's runs may each open the file by processes of the same ranks
    files_of_runs AS
    (
        SELECT
            min(start_time) AS first_start,
            any(shown.user) AS user,
            any(shown.account) AS account,
            cluster,
            record_id,
            any(name) AS file,
            groupUniqArray(interface) AS layers,
            if(min(rank) < 0, toUInt64(max(nprocs)), uniqExact(rank)) AS opened_by,
            sum(opened) AS opened,
            sum(requested) AS requested,
            sum(read) AS read,
            sum(written) AS written,
            sum(in_metadata) AS in_metadata,
            sum(in_data) AS in_data
        FROM records
        INNER JOIN shown USING (cluster, log_id)
        GROUP BY cluster, log_id, record_id
    ),
    files AS
    (
        SELECT
            min(first_start) AS time,
            ifNull(any(files_of_runs.user), '(unknown)') AS user,
            ifNull(any(files_of_runs.account), '(unknown)') AS account,
            cluster,
            any(files_of_runs.file) AS file,
            arrayStringConcat(arraySort(groupUniqArrayArray(layers)), ', ') AS interfaces,
            sum(opened_by) AS processes,
            sum(opened) AS opens,
            sum(requested) AS requests,
            sum(read) AS bytes_read,
            sum(written) AS bytes_written,
            sum(in_metadata) AS metadata_seconds,
            sum(in_data) AS data_seconds,
            row_number() OVER (ORDER BY bytes_read + bytes_written DESC) AS by_bytes,
            row_number() OVER (ORDER BY metadata_seconds + data_seconds DESC) AS by_time
        FROM files_of_runs
        GROUP BY cluster, record_id
    )
SELECT *
FROM files
WHERE by_bytes <= 100 OR by_time <= 100
