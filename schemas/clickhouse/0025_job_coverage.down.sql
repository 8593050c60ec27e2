DROP VIEW IF EXISTS job_results;

ALTER TABLE job_results_versions
    DROP COLUMN IF EXISTS coverage,
    DROP COLUMN IF EXISTS coverage_reason;

CREATE VIEW job_results AS SELECT * EXCEPT (version, is_deleted) FROM job_results_versions FINAL;
