-- What killed processes left is merged: log_state killed where it is of all processes of the run, else unfinished.
ALTER TABLE runs_versions
    ADD COLUMN mapped_processes Nullable(Int64) COMMENT 'processes whose memory-mapped logs the run is merged of, each whole; null for a log that Darshan wrote at the end';

ALTER TABLE runs_versions
    COMMENT COLUMN log_state 'complete, partial (a module ran out of memory), damaged, incomplete (batches missing), unfinished (the run did not come to its end, and what some processes did is not known), or killed (what all did until then is known)';

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
