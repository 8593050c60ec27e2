DROP VIEW IF EXISTS job_results;
DROP TABLE IF EXISTS job_results_versions;
