DROP VIEW device_samples;
DROP TABLE device_samples_versions;
