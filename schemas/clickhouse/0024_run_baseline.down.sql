DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS direction,
    DROP COLUMN IF EXISTS baseline_runs,
    DROP COLUMN IF EXISTS baseline_until,
    DROP COLUMN IF EXISTS baseline_p10_mib_per_second,
    DROP COLUMN IF EXISTS baseline_median_mib_per_second;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
