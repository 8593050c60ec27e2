ALTER TABLE scheduler_jobs_versions
    DROP INDEX IF EXISTS by_start,
    DROP INDEX IF EXISTS by_end,
    DROP INDEX IF EXISTS by_job_id,
    DROP INDEX IF EXISTS by_job_id_range;

ALTER TABLE job_results_versions
    DROP INDEX IF EXISTS by_start,
    DROP INDEX IF EXISTS by_end,
    DROP INDEX IF EXISTS by_job_id;

ALTER TABLE runs_versions
    DROP INDEX IF EXISTS by_job_id,
    DROP INDEX IF EXISTS by_log_id,
    DROP INDEX IF EXISTS by_file_name;

ALTER TABLE runs_versions RESET SETTING min_age_to_force_merge_seconds, min_age_to_force_merge_on_partition_only;

ALTER TABLE findings_versions RESET SETTING min_age_to_force_merge_seconds, min_age_to_force_merge_on_partition_only;

ALTER TABLE scheduler_jobs_versions RESET SETTING min_age_to_force_merge_seconds, min_age_to_force_merge_on_partition_only;

ALTER TABLE job_results_versions RESET SETTING min_age_to_force_merge_seconds, min_age_to_force_merge_on_partition_only;
