DROP VIEW IF EXISTS filesystem_load_hourly;
DROP TABLE IF EXISTS filesystem_load_hourly_versions;
