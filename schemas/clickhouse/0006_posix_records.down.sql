DROP VIEW IF EXISTS posix_records;
DROP TABLE IF EXISTS posix_records_versions;
