DROP VIEW IF EXISTS file_records;

CREATE OR REPLACE VIEW daos_records AS SELECT * EXCEPT (version, is_deleted) FROM daos_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW dfs_records AS SELECT * EXCEPT (version, is_deleted) FROM dfs_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW lustre_stripes AS SELECT * EXCEPT (version, is_deleted) FROM lustre_stripes_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW heatmap_bins AS SELECT * EXCEPT (version, is_deleted) FROM heatmap_bins_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW pnetcdf_var_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_var_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW pnetcdf_file_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_file_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW h5d_records AS SELECT * EXCEPT (version, is_deleted) FROM h5d_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW h5f_records AS SELECT * EXCEPT (version, is_deleted) FROM h5f_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW stdio_records AS SELECT * EXCEPT (version, is_deleted) FROM stdio_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW mpiio_records AS SELECT * EXCEPT (version, is_deleted) FROM mpiio_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

CREATE OR REPLACE VIEW posix_records AS SELECT * EXCEPT (version, is_deleted) FROM posix_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

ALTER TABLE stdio_records_versions DROP INDEX IF EXISTS by_name;

ALTER TABLE posix_records_versions DROP INDEX IF EXISTS by_name;
