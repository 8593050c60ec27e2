ALTER TABLE runs_versions DROP INDEX IF EXISTS by_log_id;

ALTER TABLE runs_versions ADD INDEX IF NOT EXISTS by_log_id log_id TYPE bloom_filter(0.01) AFTER by_job_id;

ALTER TABLE runs_versions MATERIALIZE INDEX by_log_id;

ALTER TABLE runs_versions DROP INDEX IF EXISTS by_job_uid;

ALTER TABLE runs_versions ADD INDEX IF NOT EXISTS by_job_uid job_uid TYPE bloom_filter(0.01);

ALTER TABLE runs_versions MATERIALIZE INDEX by_job_uid;

ALTER TABLE job_results_versions DROP INDEX IF EXISTS by_job_uid;

ALTER TABLE job_results_versions ADD INDEX IF NOT EXISTS by_job_uid job_uid TYPE bloom_filter(0.01);

ALTER TABLE job_results_versions MATERIALIZE INDEX by_job_uid;
