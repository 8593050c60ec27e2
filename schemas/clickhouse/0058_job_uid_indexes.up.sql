-- The page of a job finds its result and its runs by its id of this system, which is no key of either table.
ALTER TABLE runs_versions ADD INDEX by_job_uid job_uid TYPE bloom_filter(0.01);

ALTER TABLE runs_versions MATERIALIZE INDEX by_job_uid;

ALTER TABLE job_results_versions ADD INDEX by_job_uid job_uid TYPE bloom_filter(0.01);

ALTER TABLE job_results_versions MATERIALIZE INDEX by_job_uid;
