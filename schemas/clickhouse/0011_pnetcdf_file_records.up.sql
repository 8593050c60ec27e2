-- Darshan PNETCDF_FILE records: one row a file (or object) and rank. Counters keep Darshan's names; null: not in the log's module version.
CREATE TABLE pnetcdf_file_records_versions
(
    cluster LowCardinality(String),
    log_id String,
    job_id Int64 COMMENT 'as the job saw it',
    start_time DateTime64(6, 'UTC') COMMENT 'of the run',
    record_id UInt64 COMMENT 'Darshan record id',
    rank Int64 COMMENT '-1: reduced over all ranks',
    name String COMMENT 'path or object name, escaped text',
    module_version UInt16,
    PNETCDF_FILE_CREATES Nullable(Int64),
    PNETCDF_FILE_OPENS Nullable(Int64),
    PNETCDF_FILE_REDEFS Nullable(Int64),
    PNETCDF_FILE_INDEP_WAITS Nullable(Int64),
    PNETCDF_FILE_COLL_WAITS Nullable(Int64),
    PNETCDF_FILE_SYNCS Nullable(Int64),
    PNETCDF_FILE_BYTES_READ Nullable(Int64),
    PNETCDF_FILE_BYTES_WRITTEN Nullable(Int64),
    PNETCDF_FILE_WAIT_FAILURES Nullable(Int64),
    PNETCDF_FILE_F_OPEN_START_TIMESTAMP Nullable(Float64),
    PNETCDF_FILE_F_CLOSE_START_TIMESTAMP Nullable(Float64),
    PNETCDF_FILE_F_WAIT_START_TIMESTAMP Nullable(Float64),
    PNETCDF_FILE_F_OPEN_END_TIMESTAMP Nullable(Float64),
    PNETCDF_FILE_F_CLOSE_END_TIMESTAMP Nullable(Float64),
    PNETCDF_FILE_F_WAIT_END_TIMESTAMP Nullable(Float64),
    PNETCDF_FILE_F_META_TIME Nullable(Float64),
    PNETCDF_FILE_F_WAIT_TIME Nullable(Float64),
    version UInt64 COMMENT 'constant: the rows of a log id never change',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, record_id, rank)
TTL toDateTime(start_time) + INTERVAL 1 YEAR;

CREATE VIEW pnetcdf_file_records AS SELECT * EXCEPT (version, is_deleted) FROM pnetcdf_file_records_versions FINAL;
