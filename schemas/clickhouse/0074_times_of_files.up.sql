-- When the runs began that have a record of a file, so that its readers are found in any range: a file's name stands in records of
-- logs, which lie by time, and their index of names is read as a whole, a gigabyte a month of 29 million records a day. Ten bytes a
-- record. As in times_of_ids it says where to look, and the names that are found there are compared.
CREATE TABLE times_of_files
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    file UInt64 COMMENT 'sipHash64 of the name in the records of files' CODEC(Delta, ZSTD),
    time DateTime64(6, 'UTC') COMMENT 'start_time of a run with a record of it' CODEC(Delta, ZSTD)
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (file, cluster, time)
TTL toDateTime(time) + INTERVAL 1 YEAR
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW posix_file_times TO times_of_files AS
SELECT DISTINCT cluster, sipHash64(name) AS file, start_time AS time
FROM posix_records_versions;

CREATE MATERIALIZED VIEW stdio_file_times TO times_of_files AS
SELECT DISTINCT cluster, sipHash64(name) AS file, start_time AS time
FROM stdio_records_versions;

INSERT INTO times_of_files
SELECT cluster, sipHash64(name), start_time FROM posix_records_versions;

INSERT INTO times_of_files
SELECT cluster, sipHash64(name), start_time FROM stdio_records_versions;
