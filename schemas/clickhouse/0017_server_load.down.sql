DROP VIEW IF EXISTS server_load;
DROP TABLE IF EXISTS server_load_versions;
