DROP VIEW device_load;
DROP TABLE device_load_versions;
