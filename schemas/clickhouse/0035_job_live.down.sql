DROP VIEW IF EXISTS job_live_rates;
DROP VIEW IF EXISTS job_live;
DROP TABLE IF EXISTS job_live_versions;
