DROP VIEW IF EXISTS dfs_records;
DROP TABLE IF EXISTS dfs_records_versions;
