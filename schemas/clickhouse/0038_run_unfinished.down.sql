DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    MODIFY COLUMN run_time_seconds Float64 DEFAULT 0;

ALTER TABLE runs_versions
    MODIFY COLUMN run_time_seconds REMOVE DEFAULT;

ALTER TABLE runs_versions
    MODIFY COLUMN run_time_seconds REMOVE COMMENT;

ALTER TABLE runs_versions
    COMMENT COLUMN log_state 'complete, partial (a module ran out of memory), damaged, or incomplete (batches missing)';

ALTER TABLE log_modules_versions
    COMMENT COLUMN state 'complete, partial, damaged, or listed (not decoded)';

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
