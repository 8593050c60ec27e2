DROP TABLE IF EXISTS landings_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE landings_new AS landings
ENGINE = MergeTree
ORDER BY (table, landed_at)
TTL toDateTime(landed_at) + INTERVAL 90 DAY;

INSERT INTO landings_new SELECT * FROM landings;

EXCHANGE TABLES landings_new AND landings;

DROP TABLE landings_new SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS target_io_sizes_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE target_io_sizes_versions_new AS target_io_sizes_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(time)
ORDER BY (cluster, server, target, time)
TTL toDateTime(time) + INTERVAL 14 DAY;

ALTER TABLE target_io_sizes_versions_new DROP INDEX IF EXISTS by_time;

INSERT INTO target_io_sizes_versions_new SELECT * FROM target_io_sizes_versions;

EXCHANGE TABLES target_io_sizes_versions_new AND target_io_sizes_versions;

DROP TABLE target_io_sizes_versions_new SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS target_live_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE target_live_versions_new AS target_live_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(time)
ORDER BY (cluster, server, target, time)
TTL toDateTime(time) + INTERVAL 14 DAY;

ALTER TABLE target_live_versions_new DROP INDEX IF EXISTS by_time;

INSERT INTO target_live_versions_new SELECT * FROM target_live_versions;

EXCHANGE TABLES target_live_versions_new AND target_live_versions;

DROP TABLE target_live_versions_new SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS job_live_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE job_live_versions_new AS job_live_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(time)
ORDER BY (cluster, job_id, server, target, job_key, time)
TTL toDateTime(time) + INTERVAL 14 DAY;

ALTER TABLE job_live_versions_new DROP INDEX IF EXISTS by_time;

ALTER TABLE job_live_versions_new DROP INDEX IF EXISTS by_job_id;

INSERT INTO job_live_versions_new SELECT * FROM job_live_versions;

EXCHANGE TABLES job_live_versions_new AND job_live_versions;

DROP TABLE job_live_versions_new SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS server_load_hourly_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE server_load_hourly_versions_new AS server_load_hourly_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYear(hour_start)
ORDER BY (cluster, server, hour_start);

ALTER TABLE server_load_hourly_versions_new DROP INDEX IF EXISTS by_time;

INSERT INTO server_load_hourly_versions_new SELECT * FROM server_load_hourly_versions;

EXCHANGE TABLES server_load_hourly_versions_new AND server_load_hourly_versions;

DROP TABLE server_load_hourly_versions_new SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS device_load_hourly_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE device_load_hourly_versions_new AS device_load_hourly_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYear(hour_start)
ORDER BY (cluster, device_id, hour_start, server);

ALTER TABLE device_load_hourly_versions_new DROP INDEX IF EXISTS by_time;

INSERT INTO device_load_hourly_versions_new SELECT * FROM device_load_hourly_versions;

EXCHANGE TABLES device_load_hourly_versions_new AND device_load_hourly_versions;

DROP TABLE device_load_hourly_versions_new SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS server_load_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE server_load_versions_new AS server_load_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket_start)
ORDER BY (cluster, server, bucket_start)
TTL toDateTime(bucket_start) + INTERVAL 90 DAY;

ALTER TABLE server_load_versions_new DROP INDEX IF EXISTS by_time;

INSERT INTO server_load_versions_new SELECT * FROM server_load_versions;

EXCHANGE TABLES server_load_versions_new AND server_load_versions;

DROP TABLE server_load_versions_new SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS device_load_versions_new SETTINGS max_table_size_to_drop = 0;

CREATE TABLE device_load_versions_new AS device_load_versions
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(bucket_start)
ORDER BY (cluster, device_id, bucket_start)
TTL toDateTime(bucket_start) + INTERVAL 90 DAY;

ALTER TABLE device_load_versions_new DROP INDEX IF EXISTS by_time;

ALTER TABLE device_load_versions_new DROP INDEX IF EXISTS by_server;

INSERT INTO device_load_versions_new SELECT * FROM device_load_versions;

EXCHANGE TABLES device_load_versions_new AND device_load_versions;

DROP TABLE device_load_versions_new SETTINGS max_table_size_to_drop = 0;
