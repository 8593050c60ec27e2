DROP VIEW scheduler_jobs;
DROP TABLE scheduler_jobs_versions;
