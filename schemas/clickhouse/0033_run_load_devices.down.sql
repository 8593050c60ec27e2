DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS load_devices,
    DROP COLUMN IF EXISTS load_busiest_device,
    DROP COLUMN IF EXISTS load_busiest_util,
    DROP COLUMN IF EXISTS load_busiest_bytes,
    DROP COLUMN IF EXISTS load_busiest_others_bytes;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
