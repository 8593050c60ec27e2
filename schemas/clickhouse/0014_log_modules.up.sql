-- How far each module of each log could be read: the base of the coverage ledger.
CREATE TABLE log_modules_versions
(
    cluster LowCardinality(String),
    log_id String,
    start_time DateTime64(6, 'UTC') COMMENT 'of the run',
    module LowCardinality(String),
    module_version UInt16,
    state LowCardinality(String) COMMENT 'complete, partial, damaged, or listed (not decoded)',
    records_expected Nullable(Int64),
    records_read Int64,
    compressed_bytes Int64,
    reason Nullable(String),
    version UInt64,
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, module);

CREATE VIEW log_modules AS SELECT * EXCEPT (version, is_deleted) FROM log_modules_versions FINAL;
