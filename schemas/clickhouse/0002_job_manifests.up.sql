-- Which logs a job left, as of the last look into the log directory.
CREATE TABLE job_manifests_versions
(
    cluster LowCardinality(String),
    job_id Int64,
    job_uid Nullable(String),
    scan_time DateTime64(6, 'UTC'),
    final UInt8,
    log_ids Array(String),
    version UInt64 COMMENT 'Unix second of the look',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (cluster, job_id, ifNull(job_uid, ''));

CREATE VIEW job_manifests AS SELECT * EXCEPT (version, is_deleted) FROM job_manifests_versions FINAL;
