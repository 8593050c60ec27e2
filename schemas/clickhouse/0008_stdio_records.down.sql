DROP VIEW stdio_records;
DROP TABLE stdio_records_versions;
