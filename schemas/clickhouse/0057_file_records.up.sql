-- File records without a scan of their year. FINAL reads the parts of all months and all columns of a row before it judges
-- it, as rows of one key might differ or lie in two months. Those of a log never do, and none is ever taken back. So a
-- question about a month reads that month, one about some logs the other columns of these alone, and one about a file what
-- the index of names points at.
ALTER TABLE posix_records_versions ADD INDEX by_name name TYPE bloom_filter(0.01);

ALTER TABLE posix_records_versions MATERIALIZE INDEX by_name;

ALTER TABLE stdio_records_versions ADD INDEX by_name name TYPE bloom_filter(0.01);

ALTER TABLE stdio_records_versions MATERIALIZE INDEX by_name;

CREATE OR REPLACE VIEW posix_records AS SELECT * EXCEPT (version, is_deleted) FROM posix_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW mpiio_records AS SELECT * EXCEPT (version, is_deleted) FROM mpiio_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW stdio_records AS SELECT * EXCEPT (version, is_deleted) FROM stdio_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW h5f_records AS SELECT * EXCEPT (version, is_deleted) FROM h5f_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW h5d_records AS SELECT * EXCEPT (version, is_deleted) FROM h5d_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW pnetcdf_file_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_file_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW pnetcdf_var_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_var_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW heatmap_bins AS SELECT * EXCEPT (version, is_deleted) FROM heatmap_bins_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW lustre_stripes AS SELECT * EXCEPT (version, is_deleted) FROM lustre_stripes_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW dfs_records AS SELECT * EXCEPT (version, is_deleted) FROM dfs_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE OR REPLACE VIEW daos_records AS SELECT * EXCEPT (version, is_deleted) FROM daos_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions)
SETTINGS
    do_not_merge_across_partitions_select_final = 1,
    use_skip_indexes_if_final_exact_mode = 0,
    optimize_move_to_prewhere_if_final = 1;

CREATE VIEW file_records
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    log_id String COMMENT 'hash of the log''s bytes',
    start_time DateTime64(6, 'UTC') COMMENT 'of the run',
    module LowCardinality(String) COMMENT 'POSIX or STDIO; what MPI-IO, HDF5 and PnetCDF move is in POSIX',
    record_id UInt64 COMMENT 'Darshan''s id of the file: hash of its path',
    name String COMMENT 'path, escaped text',
    rank Int64 COMMENT 'of the process; -1: of all ranks',
    opens Nullable(Int64) COMMENT 'of the file through the module',
    bytes_read Nullable(Int64) COMMENT 'of the file through the module',
    bytes_written Nullable(Int64) COMMENT 'of the file through the module',
    extent_bytes Nullable(Int64) COMMENT 'last offset read or written + 1; 0 where no bytes were moved'
)
AS
SELECT
    cluster,
    log_id,
    start_time,
    'POSIX' AS module,
    record_id,
    name,
    rank,
    POSIX_OPENS AS opens,
    POSIX_BYTES_READ AS bytes_read,
    POSIX_BYTES_WRITTEN AS bytes_written,
    if(POSIX_BYTES_READ > 0 OR POSIX_BYTES_WRITTEN > 0, greatest(POSIX_MAX_BYTE_READ, POSIX_MAX_BYTE_WRITTEN) + 1, 0) AS extent_bytes
FROM posix_records
UNION ALL
SELECT
    cluster,
    log_id,
    start_time,
    'STDIO' AS module,
    record_id,
    name,
    rank,
    STDIO_OPENS AS opens,
    STDIO_BYTES_READ AS bytes_read,
    STDIO_BYTES_WRITTEN AS bytes_written,
    if(STDIO_BYTES_READ > 0 OR STDIO_BYTES_WRITTEN > 0, greatest(STDIO_MAX_BYTE_READ, STDIO_MAX_BYTE_WRITTEN) + 1, 0) AS extent_bytes
FROM stdio_records
WHERE name NOT IN ('<STDIN>', '<STDOUT>', '<STDERR>');
