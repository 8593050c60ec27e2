-- Logs that a later one replaced: a .darshan_partial that was read before the whole log was there. Their records are not
-- shown: what rows a log has is known to nobody when the whole one comes, and they may come after it.
CREATE TABLE superseded_logs_versions
(
    cluster LowCardinality(String),
    log_id String,
    superseded_by String COMMENT 'log_id of the whole log',
    start_time DateTime64(6, 'UTC') COMMENT 'of the run',
    version UInt64 COMMENT 'constant: what is replaced stays so',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id)
TTL toDateTime(start_time) + INTERVAL 1 YEAR;

CREATE VIEW superseded_logs AS SELECT * EXCEPT (version, is_deleted) FROM superseded_logs_versions FINAL;

DROP VIEW posix_records;

CREATE VIEW posix_records AS SELECT * EXCEPT (version, is_deleted) FROM posix_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

DROP VIEW mpiio_records;

CREATE VIEW mpiio_records AS SELECT * EXCEPT (version, is_deleted) FROM mpiio_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

DROP VIEW stdio_records;

CREATE VIEW stdio_records AS SELECT * EXCEPT (version, is_deleted) FROM stdio_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

DROP VIEW h5f_records;

CREATE VIEW h5f_records AS SELECT * EXCEPT (version, is_deleted) FROM h5f_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

DROP VIEW h5d_records;

CREATE VIEW h5d_records AS SELECT * EXCEPT (version, is_deleted) FROM h5d_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

DROP VIEW pnetcdf_file_records;

CREATE VIEW pnetcdf_file_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_file_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

DROP VIEW pnetcdf_var_records;

CREATE VIEW pnetcdf_var_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_var_records_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

DROP VIEW heatmap_bins;

CREATE VIEW heatmap_bins AS SELECT * EXCEPT (version, is_deleted) FROM heatmap_bins_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);

DROP VIEW lustre_stripes;

CREATE VIEW lustre_stripes AS SELECT * EXCEPT (version, is_deleted) FROM lustre_stripes_versions FINAL
WHERE (cluster, log_id) NOT IN (SELECT cluster, log_id FROM superseded_logs_versions);
