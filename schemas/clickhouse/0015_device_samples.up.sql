-- Block-device samples: what one device did in the interval that ends at time.
CREATE TABLE device_samples_versions
(
    cluster LowCardinality(String),
    server LowCardinality(String),
    device_id LowCardinality(String) COMMENT 'WWN or by-id name, else server:name',
    device_name LowCardinality(String),
    time DateTime64(6, 'UTC'),
    interval_seconds Float64,
    reads Nullable(Float64) COMMENT 'requests completed',
    writes Nullable(Float64),
    bytes_read Nullable(Float64),
    bytes_written Nullable(Float64),
    busy_seconds Nullable(Float64),
    weighted_queue_seconds Nullable(Float64) COMMENT 'queue length integrated over the interval',
    read_wait_seconds Nullable(Float64) COMMENT 'sum over the requests',
    write_wait_seconds Nullable(Float64),
    version UInt64 COMMENT 'constant: a sample never changes',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(time)
ORDER BY (cluster, device_id, time)
TTL toDateTime(time) + INTERVAL 14 DAY;

CREATE VIEW device_samples AS SELECT * EXCEPT (version, is_deleted) FROM device_samples_versions FINAL;
