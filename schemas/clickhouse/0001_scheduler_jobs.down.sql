DROP VIEW IF EXISTS scheduler_jobs;
DROP TABLE IF EXISTS scheduler_jobs_versions;
