DROP VIEW IF EXISTS device_samples;
DROP TABLE IF EXISTS device_samples_versions;
