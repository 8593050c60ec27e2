DROP VIEW job_results;
DROP TABLE job_results_versions;
