-- How the pipeline itself does, every 15 s: metrics of the Flink jobs and the lag of their consumer groups.
CREATE TABLE pipeline_metrics
(
    time DateTime64(6, 'UTC'),
    metric LowCardinality(String) COMMENT 'restarts, state_bytes, lag_messages, ...: weir pipeline show --help',
    job LowCardinality(String) COMMENT 'Flink job, or consumer group',
    part LowCardinality(String) COMMENT 'operator, task, topic or process; empty for the whole job',
    value Float64
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (metric, job, part, time)
TTL toDateTime(time) + INTERVAL 90 DAY;
