DROP TABLE IF EXISTS stdio_records_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE stdio_records_versions_new AS stdio_records_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, record_id, rank)
TTL toDateTime(start_time) + INTERVAL 1 YEAR;

ALTER TABLE stdio_records_versions_new DROP INDEX IF EXISTS by_log;

INSERT INTO stdio_records_versions_new SELECT * FROM stdio_records_versions;

INSERT INTO stdio_records_versions_new SELECT * FROM stdio_records_versions
WHERE landed_at >= (SELECT max(landed_at) - INTERVAL 1 HOUR FROM stdio_records_versions_new);

EXCHANGE TABLES stdio_records_versions_new AND stdio_records_versions;

INSERT INTO stdio_records_versions SELECT * FROM stdio_records_versions_new
WHERE landed_at >= (SELECT max(landed_at) - INTERVAL 1 HOUR FROM stdio_records_versions);

DROP TABLE stdio_records_versions_new SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS posix_records_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE posix_records_versions_new AS posix_records_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, record_id, rank)
TTL toDateTime(start_time) + INTERVAL 1 YEAR;

ALTER TABLE posix_records_versions_new DROP INDEX IF EXISTS by_log;

INSERT INTO posix_records_versions_new SELECT * FROM posix_records_versions;

INSERT INTO posix_records_versions_new SELECT * FROM posix_records_versions
WHERE landed_at >= (SELECT max(landed_at) - INTERVAL 1 HOUR FROM posix_records_versions_new);

EXCHANGE TABLES posix_records_versions_new AND posix_records_versions;

INSERT INTO posix_records_versions SELECT * FROM posix_records_versions_new
WHERE landed_at >= (SELECT max(landed_at) - INTERVAL 1 HOUR FROM posix_records_versions);

DROP TABLE posix_records_versions_new SETTINGS max_table_size_to_drop = 0;
