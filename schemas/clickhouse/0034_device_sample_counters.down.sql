DROP VIEW IF EXISTS device_samples;

ALTER TABLE device_samples_versions
    DROP COLUMN IF EXISTS cumulative,
    DROP COLUMN IF EXISTS boot_id;

CREATE VIEW device_samples AS SELECT * EXCEPT (version, is_deleted) FROM device_samples_versions FINAL;
