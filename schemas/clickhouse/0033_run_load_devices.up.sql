-- The devices that a run's files lay on, and which of all that it went through others kept busiest.
ALTER TABLE runs_versions
    ADD COLUMN load_devices Array(LowCardinality(String)) COMMENT 'that hold the run''s files, by LUSTRE or the kind of file system and the site; load_* and others_bytes are of these, where it is empty of the whole file system',
    ADD COLUMN load_busiest_device Nullable(String) COMMENT 'of the devices and other file systems that the run went through, the one that others kept busiest in its busy seconds',
    ADD COLUMN load_busiest_util Nullable(Float64) COMMENT 'its utilisation, 0 to 1',
    ADD COLUMN load_busiest_bytes Nullable(Float64) COMMENT 'moved there, all jobs',
    ADD COLUMN load_busiest_others_bytes Nullable(Float64) COMMENT 'of them beyond the run''s own (a lower bound)';

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
