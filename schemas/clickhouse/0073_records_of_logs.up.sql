-- File records in pieces of a thousand rows, not eight thousand: a log has some hundred records, and the files of a user lie in as many
-- pieces as there are logs. Rows are copied, which takes a minute for each ten million.
CREATE TABLE posix_records_versions_new AS posix_records_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, record_id, rank)
TTL toDateTime(start_time) + INTERVAL 1 YEAR
SETTINGS index_granularity = 1024;

INSERT INTO posix_records_versions_new SELECT * FROM posix_records_versions;

EXCHANGE TABLES posix_records_versions_new AND posix_records_versions;

DROP TABLE posix_records_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE stdio_records_versions_new AS stdio_records_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, record_id, rank)
TTL toDateTime(start_time) + INTERVAL 1 YEAR
SETTINGS index_granularity = 1024;

INSERT INTO stdio_records_versions_new SELECT * FROM stdio_records_versions;

EXCHANGE TABLES stdio_records_versions_new AND stdio_records_versions;

DROP TABLE stdio_records_versions_new SETTINGS max_table_size_to_drop = 0;
