DROP TABLE IF EXISTS run_times;

DROP TABLE IF EXISTS job_run_times;

DROP TABLE IF EXISTS job_times;

DROP TABLE IF EXISTS times_of_ids;
