-- Load of a storage server in one bucket: sums over its devices.
CREATE TABLE server_load_versions
(
    cluster LowCardinality(String),
    server LowCardinality(String),
    bucket_start DateTime64(6, 'UTC'),
    bucket_seconds Float64,
    bytes_read Float64,
    bytes_written Float64,
    reads Float64 COMMENT 'requests completed',
    writes Float64,
    util_mean Float64 COMMENT 'share of the bucket in which a device was busy, mean over devices, 0 to 1',
    util_p95 Float64,
    util_max Float64,
    read_wait_seconds Float64 COMMENT 'sum over the requests',
    write_wait_seconds Float64,
    version UInt64 COMMENT 'server ticks in the bucket',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket_start)
ORDER BY (cluster, server, bucket_start)
TTL toDateTime(bucket_start) + INTERVAL 90 DAY;

CREATE VIEW server_load AS SELECT * EXCEPT (version, is_deleted) FROM server_load_versions FINAL;
