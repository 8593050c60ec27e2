-- The pipeline's own delay: one row an acknowledged insert. A measurement, not a record: excluded from replay checksums.
CREATE TABLE landings
(
    cluster LowCardinality(String),
    table LowCardinality(String),
    rows UInt64,
    oldest_sent_at DateTime64(6, 'UTC') COMMENT 'Kafka timestamp of the oldest message behind these rows',
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = MergeTree
ORDER BY (table, landed_at)
TTL toDateTime(landed_at) + INTERVAL 90 DAY;
