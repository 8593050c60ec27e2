-- Which programs a job ran and which file systems they used, so that no question about jobs needs to read the runs.
ALTER TABLE job_results_versions
    ADD COLUMN executables Array(LowCardinality(String)) COMMENT 'base names of its runs'' executables, in order' AFTER traits,
    ADD COLUMN filesystems Array(LowCardinality(String)) COMMENT 'of the site, each that has most of the bytes of one of its runs, in order' AFTER executables,
    MODIFY COLUMN user LowCardinality(Nullable(String)),
    MODIFY COLUMN account LowCardinality(Nullable(String)),
    MODIFY COLUMN partition LowCardinality(Nullable(String));

ALTER TABLE scheduler_jobs_versions
    MODIFY COLUMN user LowCardinality(Nullable(String)),
    MODIFY COLUMN account LowCardinality(Nullable(String)),
    MODIFY COLUMN partition LowCardinality(Nullable(String));

INSERT INTO job_results_versions
    (cluster, job_uid, job_id, user, account, partition, job_name, state, submit_time, start_time, end_time, nodes, settled,
    logs_analysed, logs_expected, bytes_read, bytes_written, io_time_seconds, node_hours, node_hours_lost, verdict,
    verdict_reason, coverage, coverage_reason, findings, traits, executables, filesystems, revision, version, is_deleted, origin,
    landed_at)
SELECT
    cluster, job_uid, job_id, user, account, partition, job_name, state, submit_time, start_time, end_time, nodes, settled,
    logs_analysed, logs_expected, bytes_read, bytes_written, io_time_seconds, node_hours, node_hours_lost, verdict,
    verdict_reason, coverage, coverage_reason, findings, traits, of_runs.executables, of_runs.filesystems, revision, version,
    is_deleted, origin, landed_at
FROM job_results_versions AS results FINAL
INNER JOIN
(
    SELECT
        cluster,
        assumeNotNull(job_uid) AS job_uid,
        arraySort(groupUniqArray(exe)) AS executables,
        arraySort(groupUniqArray(filesystem)) AS filesystems
    FROM runs_versions FINAL
    WHERE job_uid IS NOT NULL
    GROUP BY cluster, job_uid
) AS of_runs USING (cluster, job_uid);

DROP VIEW job_results;

CREATE VIEW job_results AS SELECT * EXCEPT (version, is_deleted) FROM job_results_versions FINAL;

DROP VIEW scheduler_jobs;

CREATE VIEW scheduler_jobs AS SELECT * EXCEPT (version, is_deleted) FROM scheduler_jobs_versions FINAL;
