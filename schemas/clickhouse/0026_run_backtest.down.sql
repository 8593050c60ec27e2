DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS features_lacking_records,
    DROP COLUMN IF EXISTS load_device_bytes,
    DROP COLUMN IF EXISTS load_own_bytes;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
