-- A run that did not come to its end has no run time: log_state unfinished, end_time is its start.
ALTER TABLE runs_versions
    MODIFY COLUMN run_time_seconds Nullable(Float64) COMMENT 'null where the run did not come to its end';

ALTER TABLE runs_versions
    COMMENT COLUMN log_state 'complete, partial (a module ran out of memory), damaged, incomplete (batches missing), or unfinished (the run did not come to its end)';

ALTER TABLE log_modules_versions
    COMMENT COLUMN state 'complete, partial, damaged (records are missing), suspect (what was read may be wrong), or listed (not decoded)';

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
