-- When what an id names began, so that the page of one run or job finds its rows by the time by which their tables are sorted.
-- The indexes of ids (0063) are read as a whole for each question, 55 MB a year of 67,000 runs a day; this table is sorted by
-- id, so that a question costs the same however long the history is. It has hashes of ids and names nobody. A time that a
-- correction replaced stays and does no harm: it only says where to look, and the rows found there have their ids compared.
CREATE TABLE times_of_ids
(
    kind LowCardinality(String) COMMENT 'whose time it is: of the run of a log, of a job of a run, or of a job',
    id UInt64 CODEC(Delta, ZSTD) COMMENT 'sipHash64 of the log_id, or of the job_uid',
    time DateTime64(6, 'UTC') CODEC(ZSTD) COMMENT 'start_time of the run, submit_time of the job'
)
ENGINE = ReplacingMergeTree
PARTITION BY toYear(time)
ORDER BY (kind, id, time)
SETTINGS index_granularity = 128;

CREATE MATERIALIZED VIEW run_times TO times_of_ids AS
SELECT 'log' AS kind, sipHash64(log_id) AS id, start_time AS time
FROM runs_versions;

CREATE MATERIALIZED VIEW job_run_times TO times_of_ids AS
SELECT 'job of a run' AS kind, sipHash64(assumeNotNull(job_uid)) AS id, start_time AS time
FROM runs_versions
WHERE job_uid IS NOT NULL;

CREATE MATERIALIZED VIEW job_times TO times_of_ids AS
SELECT 'job' AS kind, sipHash64(job_uid) AS id, submit_time AS time
FROM job_results_versions;

INSERT INTO times_of_ids
SELECT 'log', sipHash64(log_id), start_time FROM runs_versions;

INSERT INTO times_of_ids
SELECT 'job of a run', sipHash64(assumeNotNull(job_uid)), start_time FROM runs_versions WHERE job_uid IS NOT NULL;

INSERT INTO times_of_ids
SELECT 'job', sipHash64(job_uid), submit_time FROM job_results_versions;
