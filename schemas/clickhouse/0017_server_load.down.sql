DROP VIEW server_load;
DROP TABLE server_load_versions;
