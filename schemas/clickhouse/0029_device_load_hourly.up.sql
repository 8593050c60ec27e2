-- Load of one device in one hour through one server; where it moved within the hour, add its rows up.
CREATE TABLE device_load_hourly_versions
(
    cluster LowCardinality(String),
    device_id LowCardinality(String),
    server LowCardinality(String),
    hour_start DateTime64(6, 'UTC'),
    sampled_seconds Float64 COMMENT 'of its samples; what lacks is a gap, not idle time',
    bytes_read Float64,
    bytes_written Float64,
    reads Float64 COMMENT 'requests completed',
    writes Float64,
    util Float64 COMMENT 'share of the sampled time in which it was busy, 0 to 1',
    read_wait_seconds Float64 COMMENT 'sum over the requests',
    write_wait_seconds Float64,
    version UInt64 COMMENT 'server ticks in the hour',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYear(hour_start)
ORDER BY (cluster, device_id, hour_start, server);

CREATE VIEW device_load_hourly AS SELECT * EXCEPT (version, is_deleted) FROM device_load_hourly_versions FINAL;
