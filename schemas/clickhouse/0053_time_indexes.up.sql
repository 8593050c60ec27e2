-- Questions find their jobs and runs by what is no key of the tables: the start and end of jobs, ids, names of logs. A job's
-- end lies hours after its submission, a few weeks at most: minima and maxima of 8,192 jobs leave out nearly all of the
-- history, and as schedulers count their ids up, those of jobs that run are among the newest. Closed months end as one part, over which FINAL has nothing to merge.
ALTER TABLE scheduler_jobs_versions
    ADD INDEX by_start start_time TYPE minmax,
    ADD INDEX by_end end_time TYPE minmax,
    ADD INDEX by_job_id job_id TYPE bloom_filter(0.01),
    ADD INDEX by_job_id_range job_id TYPE minmax;

ALTER TABLE scheduler_jobs_versions
    MATERIALIZE INDEX by_start,
    MATERIALIZE INDEX by_end,
    MATERIALIZE INDEX by_job_id,
    MATERIALIZE INDEX by_job_id_range;

ALTER TABLE job_results_versions
    ADD INDEX by_start start_time TYPE minmax,
    ADD INDEX by_end end_time TYPE minmax,
    ADD INDEX by_job_id job_id TYPE bloom_filter(0.01);

ALTER TABLE job_results_versions MATERIALIZE INDEX by_start, MATERIALIZE INDEX by_end, MATERIALIZE INDEX by_job_id;

ALTER TABLE runs_versions
    ADD INDEX by_job_id job_id TYPE bloom_filter(0.01),
    ADD INDEX by_log_id log_id TYPE bloom_filter(0.01),
    ADD INDEX by_file_name file_name TYPE bloom_filter(0.01);

ALTER TABLE runs_versions MATERIALIZE INDEX by_job_id, MATERIALIZE INDEX by_log_id, MATERIALIZE INDEX by_file_name;

ALTER TABLE runs_versions MODIFY SETTING min_age_to_force_merge_seconds = 21600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE findings_versions MODIFY SETTING min_age_to_force_merge_seconds = 21600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE scheduler_jobs_versions MODIFY SETTING min_age_to_force_merge_seconds = 21600, min_age_to_force_merge_on_partition_only = 1;

ALTER TABLE job_results_versions MODIFY SETTING min_age_to_force_merge_seconds = 21600, min_age_to_force_merge_on_partition_only = 1;
