-- Darshan HEATMAP: bytes of one rank through one interface in one time bin; bins without bytes are not stored.
CREATE TABLE heatmap_bins_versions
(
    cluster LowCardinality(String),
    log_id String,
    job_id Int64,
    start_time DateTime64(6, 'UTC') COMMENT 'of the run',
    record_id UInt64,
    rank Int64,
    name String COMMENT 'heatmap:POSIX, heatmap:MPIIO or heatmap:STDIO',
    module_version UInt16,
    BIN Int64 COMMENT 'from 0; covers [BIN, BIN + 1) * BIN_WIDTH_SECONDS after the start',
    BYTES_READ Int64,
    BYTES_WRITTEN Int64,
    BIN_WIDTH_SECONDS Float64,
    version UInt64,
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, record_id, rank, BIN)
TTL toDateTime(start_time) + INTERVAL 1 YEAR;

CREATE VIEW heatmap_bins AS SELECT * EXCEPT (version, is_deleted) FROM heatmap_bins_versions FINAL;
