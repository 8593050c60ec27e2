-- What a producer says it has sent, by kind: the other side of what landed.
CREATE TABLE producer_ledger_versions
(
    cluster LowCardinality(String),
    producer LowCardinality(String),
    kind LowCardinality(String) COMMENT 'runs, jobs, file records, dead letters, ...',
    count UInt64,
    version UInt64 COMMENT 'Unix nanoseconds of the statement',
    is_deleted UInt8,
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (cluster, producer, kind);

CREATE VIEW producer_ledger AS SELECT * EXCEPT (version, is_deleted) FROM producer_ledger_versions FINAL;
