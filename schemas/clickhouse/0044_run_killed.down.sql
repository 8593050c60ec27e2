DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS mapped_processes;

ALTER TABLE runs_versions
    COMMENT COLUMN log_state 'complete, partial (a module ran out of memory), damaged, incomplete (batches missing), or unfinished (the run did not come to its end)';

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
