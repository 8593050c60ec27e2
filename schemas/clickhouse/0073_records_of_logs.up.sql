-- File records sorted by the time of their log. A question about some days reads these alone. Who knows a log's time finds it in the one
-- part that was written then: by log_id alone it could be in a piece of each part of the month. Pieces of a thousand rows, not eight
-- thousand, and small compressed blocks, as a log has some hundred records and a user's logs lie apart. A log that is asked for without
-- its time is found by an index. Rows are copied, which takes a minute for each ten million; those that land meanwhile are copied before
-- the exchange and once more after it, where a row that is there twice is one.
CREATE TABLE posix_records_versions_new AS posix_records_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, start_time, log_id, record_id, rank)
TTL toDateTime(start_time) + INTERVAL 1 YEAR
SETTINGS index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 65536;

ALTER TABLE posix_records_versions_new ADD INDEX by_log log_id TYPE bloom_filter(0.0001);

INSERT INTO posix_records_versions_new SELECT * FROM posix_records_versions;

INSERT INTO posix_records_versions_new SELECT * FROM posix_records_versions
WHERE landed_at >= (SELECT max(landed_at) - INTERVAL 1 HOUR FROM posix_records_versions_new);

EXCHANGE TABLES posix_records_versions_new AND posix_records_versions;

INSERT INTO posix_records_versions SELECT * FROM posix_records_versions_new
WHERE landed_at >= (SELECT max(landed_at) - INTERVAL 1 HOUR FROM posix_records_versions);

DROP TABLE posix_records_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE stdio_records_versions_new AS stdio_records_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, start_time, log_id, record_id, rank)
TTL toDateTime(start_time) + INTERVAL 1 YEAR
SETTINGS index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 65536;

ALTER TABLE stdio_records_versions_new ADD INDEX by_log log_id TYPE bloom_filter(0.0001);

INSERT INTO stdio_records_versions_new SELECT * FROM stdio_records_versions;

INSERT INTO stdio_records_versions_new SELECT * FROM stdio_records_versions
WHERE landed_at >= (SELECT max(landed_at) - INTERVAL 1 HOUR FROM stdio_records_versions_new);

EXCHANGE TABLES stdio_records_versions_new AND stdio_records_versions;

INSERT INTO stdio_records_versions SELECT * FROM stdio_records_versions_new
WHERE landed_at >= (SELECT max(landed_at) - INTERVAL 1 HOUR FROM stdio_records_versions);

DROP TABLE stdio_records_versions_new SETTINGS max_table_size_to_drop = 0;
