DROP VIEW IF EXISTS job_manifests;
DROP TABLE IF EXISTS job_manifests_versions;
