DROP TABLE IF EXISTS days_of_run_io_build;

DROP TABLE IF EXISTS run_io_totals_build;

DROP VIEW IF EXISTS run_io_totals;

DROP TABLE IF EXISTS run_io_totals_versions;

DROP VIEW IF EXISTS run_io_measures;

DROP TABLE IF EXISTS run_io_landed;

ALTER TABLE days_of_totals DELETE WHERE table = 'run_io';
