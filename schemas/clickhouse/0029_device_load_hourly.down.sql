DROP VIEW IF EXISTS device_load_hourly;
DROP TABLE IF EXISTS device_load_hourly_versions;
