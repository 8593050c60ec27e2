DROP TABLE IF EXISTS days_of_totals_build;

DROP TABLE IF EXISTS run_totals_build;

DROP TABLE IF EXISTS finding_totals_build;

DROP TABLE IF EXISTS job_totals_build;

DROP VIEW IF EXISTS run_totals;

DROP VIEW IF EXISTS finding_totals;

DROP VIEW IF EXISTS job_totals;

DROP TABLE IF EXISTS run_totals_versions;

DROP TABLE IF EXISTS finding_totals_versions;

DROP TABLE IF EXISTS job_totals_versions;

DROP VIEW IF EXISTS run_measures;

DROP VIEW IF EXISTS finding_measures;

DROP VIEW IF EXISTS job_measures;

DROP VIEW IF EXISTS days_to_total;

DROP VIEW IF EXISTS days_with_totals;

DROP TABLE IF EXISTS runs_landed;

DROP TABLE IF EXISTS findings_landed;

DROP TABLE IF EXISTS job_results_landed;


DROP TABLE IF EXISTS days_of_totals;
