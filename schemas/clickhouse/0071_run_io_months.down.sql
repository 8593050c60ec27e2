DROP TABLE IF EXISTS months_of_run_io_build;

DROP TABLE IF EXISTS run_io_months_build;

DROP VIEW IF EXISTS run_io_months;

DROP TABLE IF EXISTS run_io_months_versions;

DROP VIEW IF EXISTS months_to_total;

DROP VIEW IF EXISTS months_with_totals;

DROP TABLE IF EXISTS months_of_totals;
