DROP VIEW filesystem_load;
DROP TABLE filesystem_load_versions;
