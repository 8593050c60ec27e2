-- Rules that hold for a run (log_id) or for a job as a whole (log_id empty).
CREATE TABLE findings_versions
(
    cluster LowCardinality(String),
    log_id String COMMENT 'empty: of the job as a whole',
    job_uid String COMMENT 'empty for a finding of a run: the join can change, the run cannot',
    rule_id LowCardinality(String),
    start_time DateTime64(6, 'UTC') COMMENT 'of the run, or the job''s submit time',
    title String,
    severity LowCardinality(String) COMMENT 'info, notice, warning or critical',
    evidence_class LowCardinality(String) COMMENT 'exact, bounded or unknowable',
    evidence String COMMENT 'JSON object: feature to value',
    node_hours_lost Nullable(Float64) COMMENT 'of the run; several findings share it, so it does not add up',
    advice Array(String) COMMENT 'keys of the texts',
    revision UInt16,
    version UInt64,
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, start_time, log_id, job_uid, rule_id);

CREATE VIEW findings AS SELECT * EXCEPT (version, is_deleted) FROM findings_versions FINAL;
