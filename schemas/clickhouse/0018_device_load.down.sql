DROP VIEW IF EXISTS device_load;
DROP TABLE IF EXISTS device_load_versions;
