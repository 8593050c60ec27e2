DROP VIEW IF EXISTS posix_records;

CREATE VIEW posix_records AS SELECT * EXCEPT (version, is_deleted) FROM posix_records_versions FINAL;

DROP VIEW IF EXISTS mpiio_records;

CREATE VIEW mpiio_records AS SELECT * EXCEPT (version, is_deleted) FROM mpiio_records_versions FINAL;

DROP VIEW IF EXISTS stdio_records;

CREATE VIEW stdio_records AS SELECT * EXCEPT (version, is_deleted) FROM stdio_records_versions FINAL;

DROP VIEW IF EXISTS h5f_records;

CREATE VIEW h5f_records AS SELECT * EXCEPT (version, is_deleted) FROM h5f_records_versions FINAL;

DROP VIEW IF EXISTS h5d_records;

CREATE VIEW h5d_records AS SELECT * EXCEPT (version, is_deleted) FROM h5d_records_versions FINAL;

DROP VIEW IF EXISTS pnetcdf_file_records;

CREATE VIEW pnetcdf_file_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_file_records_versions FINAL;

DROP VIEW IF EXISTS pnetcdf_var_records;

CREATE VIEW pnetcdf_var_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_var_records_versions FINAL;

DROP VIEW IF EXISTS heatmap_bins;

CREATE VIEW heatmap_bins AS SELECT * EXCEPT (version, is_deleted) FROM heatmap_bins_versions FINAL;

DROP VIEW IF EXISTS lustre_stripes;

CREATE VIEW lustre_stripes AS SELECT * EXCEPT (version, is_deleted) FROM lustre_stripes_versions FINAL;

DROP VIEW IF EXISTS superseded_logs;

DROP TABLE IF EXISTS superseded_logs_versions;
