-- Load of a file system in one hour: sums over the buckets of filesystem_load.
CREATE TABLE filesystem_load_hourly_versions
(
    cluster LowCardinality(String),
    filesystem LowCardinality(String),
    hour_start DateTime64(6, 'UTC'),
    sampled_seconds Float64 COMMENT 'of the buckets that have a value; what lacks is a gap, not idle time',
    bytes_read Float64,
    bytes_written Float64,
    reads Float64 COMMENT 'requests completed',
    writes Float64,
    util_mean Float64 COMMENT 'share of the sampled time in which a device was busy, mean over devices and buckets, 0 to 1',
    util_max Float64 COMMENT 'of the busiest device in its busiest bucket',
    peak_bytes_per_second Float64 COMMENT 'read and written, of the busiest bucket',
    read_wait_seconds Float64 COMMENT 'sum over the requests',
    write_wait_seconds Float64,
    version UInt64 COMMENT 'server ticks in the hour',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYear(hour_start)
ORDER BY (cluster, filesystem, hour_start);

CREATE VIEW filesystem_load_hourly AS SELECT * EXCEPT (version, is_deleted) FROM filesystem_load_hourly_versions FINAL;
