DROP VIEW IF EXISTS stdio_records;
DROP TABLE IF EXISTS stdio_records_versions;
