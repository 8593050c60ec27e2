-- Jobs as the scheduler reports them; one row a job, its newest state wins.
CREATE TABLE scheduler_jobs_versions
(
    cluster LowCardinality(String),
    job_uid String,
    job_id Int64 COMMENT 'the integer that the job sees; repeats over the years',
    job_display_id String,
    array_id Nullable(Int64),
    array_index Nullable(Int64),
    user Nullable(String),
    uid Nullable(Int64),
    account Nullable(String) COMMENT 'the project',
    partition Nullable(String),
    qos Nullable(String),
    job_name String,
    state LowCardinality(String),
    state_rank UInt8 COMMENT '0 unknown, 1 pending, 2 running, 3 terminal',
    exit_code Nullable(Int32),
    exit_signal Nullable(Int32),
    submit_time DateTime64(6, 'UTC'),
    start_time Nullable(DateTime64(6, 'UTC')),
    end_time Nullable(DateTime64(6, 'UTC')),
    nodes Nullable(Int32) COMMENT 'allocated',
    cpus Nullable(Int32),
    node_list String,
    time_limit_seconds Nullable(Int64),
    version UInt64 COMMENT 'state_rank * 2^32 + Unix second of the state',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(submit_time)
ORDER BY (cluster, submit_time, job_uid);

CREATE VIEW scheduler_jobs AS SELECT * EXCEPT (version, is_deleted) FROM scheduler_jobs_versions FINAL;
