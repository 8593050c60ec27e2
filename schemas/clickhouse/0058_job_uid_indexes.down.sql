ALTER TABLE job_results_versions DROP INDEX IF EXISTS by_job_uid;

ALTER TABLE runs_versions DROP INDEX IF EXISTS by_job_uid;
