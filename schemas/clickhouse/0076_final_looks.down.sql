ALTER TABLE job_manifests_versions COMMENT COLUMN version 'Unix second of the look';
