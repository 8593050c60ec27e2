-- The coverage ledger: how far the I/O of each job is known, and why no further.
ALTER TABLE job_results_versions
    ADD COLUMN coverage LowCardinality(String) COMMENT 'running, not_started, awaited, instrumented, not_instrumented, killed, partial, damaged or unjoinable',
    ADD COLUMN coverage_reason String;

DROP VIEW job_results;

CREATE VIEW job_results AS SELECT * EXCEPT (version, is_deleted) FROM job_results_versions FINAL;
