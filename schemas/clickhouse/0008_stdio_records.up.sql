-- Darshan STDIO records: one row a file (or object) and rank. Counters keep Darshan's names; null: not in the log's module version.
CREATE TABLE stdio_records_versions
(
    cluster LowCardinality(String),
    log_id String,
    job_id Int64 COMMENT 'as the job saw it',
    start_time DateTime64(6, 'UTC') COMMENT 'of the run',
    record_id UInt64 COMMENT 'Darshan record id',
    rank Int64 COMMENT '-1: reduced over all ranks',
    name String COMMENT 'path or object name, escaped text',
    module_version UInt16,
    STDIO_OPENS Nullable(Int64),
    STDIO_FDOPENS Nullable(Int64),
    STDIO_READS Nullable(Int64),
    STDIO_WRITES Nullable(Int64),
    STDIO_SEEKS Nullable(Int64),
    STDIO_FLUSHES Nullable(Int64),
    STDIO_BYTES_WRITTEN Nullable(Int64),
    STDIO_BYTES_READ Nullable(Int64),
    STDIO_MAX_BYTE_READ Nullable(Int64),
    STDIO_MAX_BYTE_WRITTEN Nullable(Int64),
    STDIO_FASTEST_RANK Nullable(Int64),
    STDIO_FASTEST_RANK_BYTES Nullable(Int64),
    STDIO_SLOWEST_RANK Nullable(Int64),
    STDIO_SLOWEST_RANK_BYTES Nullable(Int64),
    STDIO_F_META_TIME Nullable(Float64),
    STDIO_F_WRITE_TIME Nullable(Float64),
    STDIO_F_READ_TIME Nullable(Float64),
    STDIO_F_OPEN_START_TIMESTAMP Nullable(Float64),
    STDIO_F_CLOSE_START_TIMESTAMP Nullable(Float64),
    STDIO_F_WRITE_START_TIMESTAMP Nullable(Float64),
    STDIO_F_READ_START_TIMESTAMP Nullable(Float64),
    STDIO_F_OPEN_END_TIMESTAMP Nullable(Float64),
    STDIO_F_CLOSE_END_TIMESTAMP Nullable(Float64),
    STDIO_F_WRITE_END_TIMESTAMP Nullable(Float64),
    STDIO_F_READ_END_TIMESTAMP Nullable(Float64),
    STDIO_F_FASTEST_RANK_TIME Nullable(Float64),
    STDIO_F_SLOWEST_RANK_TIME Nullable(Float64),
    STDIO_F_VARIANCE_RANK_TIME Nullable(Float64),
    STDIO_F_VARIANCE_RANK_BYTES Nullable(Float64),
    version UInt64 COMMENT 'constant: the rows of a log id never change',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, record_id, rank)
TTL toDateTime(start_time) + INTERVAL 1 YEAR;

CREATE VIEW stdio_records AS SELECT * EXCEPT (version, is_deleted) FROM stdio_records_versions FINAL;
