DROP VIEW IF EXISTS filesystem_load;
DROP TABLE IF EXISTS filesystem_load_versions;
