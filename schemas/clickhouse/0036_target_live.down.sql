DROP VIEW IF EXISTS target_io_sizes;
DROP TABLE IF EXISTS target_io_sizes_versions;
DROP VIEW IF EXISTS target_live_rates;
DROP VIEW IF EXISTS target_live;
DROP TABLE IF EXISTS target_live_versions;
