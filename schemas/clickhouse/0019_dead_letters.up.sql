-- What could not be read, with the reason and the place.
CREATE TABLE dead_letters_versions
(
    cluster LowCardinality(String),
    id String,
    source LowCardinality(String),
    reason String,
    topic Nullable(String),
    partition Nullable(Int32),
    offset Nullable(Int64),
    file Nullable(String),
    position Nullable(String),
    bytes String COMMENT 'the first 64 KiB',
    time DateTime64(6, 'UTC') COMMENT 'when it was refused',
    version UInt64,
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (cluster, source, id);

CREATE VIEW dead_letters AS SELECT * EXCEPT (version, is_deleted) FROM dead_letters_versions FINAL;
