-- What the analysis says of a job: its runs together, and whether anything is still awaited.
CREATE TABLE job_results_versions
(
    cluster LowCardinality(String),
    job_uid String,
    job_id Int64,
    user Nullable(String),
    account Nullable(String),
    partition Nullable(String),
    job_name String,
    state LowCardinality(String),
    submit_time DateTime64(6, 'UTC'),
    start_time Nullable(DateTime64(6, 'UTC')),
    end_time Nullable(DateTime64(6, 'UTC')),
    nodes Nullable(Int32),
    settled UInt8,
    logs_analysed UInt32,
    logs_expected Nullable(UInt32) COMMENT 'of the manifest; null before its first look',
    bytes_read Nullable(Int64),
    bytes_written Nullable(Int64),
    io_time_seconds Nullable(Float64) COMMENT 'sum over the runs',
    node_hours Nullable(Float64),
    node_hours_lost Nullable(Float64) COMMENT 'never above node_hours',
    verdict LowCardinality(String),
    verdict_reason String,
    findings Array(LowCardinality(String)),
    traits Array(LowCardinality(String)) COMMENT 'no_darshan_log, many_logs_one_job, job_failed, ...',
    revision UInt16,
    version UInt64,
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(submit_time)
ORDER BY (cluster, submit_time, job_uid);

CREATE VIEW job_results AS SELECT * EXCEPT (version, is_deleted) FROM job_results_versions FINAL;
