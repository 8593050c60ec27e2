DROP VIEW IF EXISTS scheduler_jobs;

DROP VIEW IF EXISTS job_results;

ALTER TABLE scheduler_jobs_versions
    MODIFY COLUMN user Nullable(String),
    MODIFY COLUMN account Nullable(String),
    MODIFY COLUMN partition Nullable(String);

ALTER TABLE job_results_versions
    DROP COLUMN IF EXISTS executables,
    DROP COLUMN IF EXISTS filesystems,
    MODIFY COLUMN user Nullable(String),
    MODIFY COLUMN account Nullable(String),
    MODIFY COLUMN partition Nullable(String);

CREATE VIEW job_results AS SELECT * EXCEPT (version, is_deleted) FROM job_results_versions FINAL;

CREATE VIEW scheduler_jobs AS SELECT * EXCEPT (version, is_deleted) FROM scheduler_jobs_versions FINAL;
