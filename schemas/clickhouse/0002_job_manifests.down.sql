DROP VIEW job_manifests;
DROP TABLE job_manifests_versions;
