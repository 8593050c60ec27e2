-- What findings are asked by, in their own rows: who had them, in which program, on which file system. They are written
-- together with the run, so that they cannot differ from it, and no question about findings needs to read the runs.
ALTER TABLE findings_versions
    ADD COLUMN job_id Int64 COMMENT 'as the job saw it' AFTER start_time,
    ADD COLUMN user LowCardinality(Nullable(String)) COMMENT 'from the scheduler, never from the log' AFTER job_id,
    ADD COLUMN account LowCardinality(Nullable(String)) COMMENT 'the project' AFTER user,
    ADD COLUMN exe LowCardinality(String) COMMENT 'base name of the executable' AFTER account,
    ADD COLUMN program LowCardinality(String) COMMENT 'as in runs' AFTER exe,
    ADD COLUMN filesystem LowCardinality(Nullable(String)) COMMENT 'of the site, with most of the run''s bytes' AFTER program,
    ADD COLUMN verdict LowCardinality(String) COMMENT 'of the run: application, storage, both, unknown or not_slow' AFTER filesystem;

INSERT INTO findings_versions
    (cluster, log_id, job_uid, rule_id, start_time, job_id, user, account, exe, program, filesystem, verdict, title, severity,
    evidence_class, evidence, node_hours_lost, advice, revision, version, is_deleted, origin, landed_at)
SELECT
    cluster, log_id, job_uid, rule_id, start_time, of.job_id, of.user, of.account, of.exe, of.program, of.filesystem, of.verdict,
    title, severity, evidence_class, evidence, node_hours_lost, advice, revision, version, is_deleted, origin, landed_at
FROM findings_versions AS found FINAL
INNER JOIN
(
    SELECT cluster, log_id, job_id, user, account, exe, program, filesystem, verdict
    FROM runs_versions FINAL
    WHERE notEmpty(findings)
) AS of USING (cluster, log_id);

DROP VIEW findings;

CREATE VIEW findings AS SELECT * EXCEPT (version, is_deleted) FROM findings_versions FINAL;
