DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS dfs_bytes,
    DROP COLUMN IF EXISTS dfs_agg_time_by_slowest_seconds,
    DROP COLUMN IF EXISTS daos_bytes,
    DROP COLUMN IF EXISTS daos_agg_time_by_slowest_seconds;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
DROP VIEW IF EXISTS daos_records;
DROP TABLE IF EXISTS daos_records_versions;
