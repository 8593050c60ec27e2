DROP VIEW IF EXISTS server_load_hourly;
DROP TABLE IF EXISTS server_load_hourly_versions;
