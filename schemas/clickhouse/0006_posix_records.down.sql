DROP VIEW posix_records;
DROP TABLE posix_records_versions;
