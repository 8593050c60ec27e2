-- What rules read beside the features, so that they can be evaluated again over stored runs.
ALTER TABLE runs_versions
    ADD COLUMN features_lacking_records Array(LowCardinality(String)) COMMENT 'whose module lacks records: a rule that does not hold on them may hold for the run',
    ADD COLUMN load_device_bytes Nullable(Float64) COMMENT 'of the file system''s devices in the run''s busy seconds',
    ADD COLUMN load_own_bytes Nullable(Float64) COMMENT 'what the run itself moved there';

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
