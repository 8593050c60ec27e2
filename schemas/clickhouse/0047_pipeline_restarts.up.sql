-- What of the pipeline was started again, and why: a part of the stack, or a Flink job.
CREATE TABLE pipeline_restarts
(
    time DateTime64(6, 'UTC') COMMENT 'when it failed, or was started again',
    part LowCardinality(String) COMMENT 'job-analysis, kafka, ...',
    cause String
)
ENGINE = ReplacingMergeTree
ORDER BY (part, time, cause)
TTL toDateTime(time) + INTERVAL 90 DAY;
