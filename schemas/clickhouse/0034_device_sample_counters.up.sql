-- Live agents send counters since boot; sums over such rows mean nothing, their differences do.
ALTER TABLE device_samples_versions
    ADD COLUMN IF NOT EXISTS cumulative UInt8 COMMENT '1: the values count since boot, and what was done is the difference to the row before of the same device and boot_id',
    ADD COLUMN IF NOT EXISTS boot_id LowCardinality(String) COMMENT 'of cumulative rows: they start anew when it changes';

DROP VIEW IF EXISTS device_samples;

CREATE VIEW device_samples AS SELECT * EXCEPT (version, is_deleted) FROM device_samples_versions FINAL;
