-- What storage servers counted of running jobs: Lustre's job_stats, a row a target and spelling of the job's id.
CREATE TABLE job_live_versions
(
    cluster LowCardinality(String),
    job_id Int64,
    array_index Nullable(Int64),
    server LowCardinality(String),
    target LowCardinality(String) COMMENT 'OST or MDT',
    job_key String COMMENT 'jobid_name as the server has it (a job has several where that names the node)',
    time DateTime64(6, 'UTC') COMMENT 'of the look',
    reads Nullable(Float64) COMMENT 'requests since the server first saw the key, as all columns count',
    writes Nullable(Float64),
    bytes_read Nullable(Float64),
    bytes_written Nullable(Float64),
    other_operations Nullable(Float64) COMMENT 'of metadata',
    version UInt64 COMMENT 'constant: a look never changes',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(time)
ORDER BY (cluster, job_id, server, target, job_key, time)
TTL toDateTime(time) + INTERVAL 14 DAY;

CREATE VIEW job_live AS SELECT * EXCEPT (version, is_deleted) FROM job_live_versions FINAL;

-- What a job did between two looks. A count that fell began anew: that interval is left out.
CREATE VIEW job_live_rates AS
SELECT
    cluster, job_id, array_index, server, target, job_key, time,
    dateDiff('microsecond', time_before, time) / 1e6 AS seconds,
    (reads - reads_before) / seconds AS reads_per_second,
    (writes - writes_before) / seconds AS writes_per_second,
    (bytes_read - bytes_read_before) / seconds AS bytes_read_per_second,
    (bytes_written - bytes_written_before) / seconds AS bytes_written_per_second,
    (other_operations - other_operations_before) / seconds AS other_operations_per_second,
    origin, landed_at
FROM
(
    SELECT
        *,
        row_number() OVER looks AS look,
        lagInFrame(time) OVER looks AS time_before,
        lagInFrame(reads) OVER looks AS reads_before,
        lagInFrame(writes) OVER looks AS writes_before,
        lagInFrame(bytes_read) OVER looks AS bytes_read_before,
        lagInFrame(bytes_written) OVER looks AS bytes_written_before,
        lagInFrame(other_operations) OVER looks AS other_operations_before
    FROM job_live
    WINDOW looks AS (
        PARTITION BY cluster, job_id, server, target, job_key
        ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)
WHERE look > 1
    AND NOT coalesce(
        reads < reads_before OR writes < writes_before OR bytes_read < bytes_read_before
            OR bytes_written < bytes_written_before OR other_operations < other_operations_before,
        false
    );
