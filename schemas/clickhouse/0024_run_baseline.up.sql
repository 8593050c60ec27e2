-- How fast the same application was before: what a run is compared with.
ALTER TABLE runs_versions
    ADD COLUMN direction LowCardinality(String) COMMENT 'read or write: where most of the bytes on file systems of the site go',
    ADD COLUMN baseline_runs UInt16 COMMENT 'earlier runs of the same user, executable, file system and direction, with as many processes and bytes (within twice), of the last 32',
    ADD COLUMN baseline_until Nullable(DateTime64(6, 'UTC')) COMMENT 'end of the newest of them',
    ADD COLUMN baseline_p10_mib_per_second Nullable(Float64) COMMENT '10th percentile of their mib_per_second',
    ADD COLUMN baseline_median_mib_per_second Nullable(Float64);

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
