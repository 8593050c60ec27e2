DROP TABLE IF EXISTS hours_of_totals_build;

DROP TABLE IF EXISTS user_file_totals_build;

DROP VIEW IF EXISTS user_file_totals;

DROP VIEW IF EXISTS file_records_to_total;

DROP TABLE IF EXISTS user_file_totals_versions SETTINGS max_table_size_to_drop = 0;

DROP VIEW IF EXISTS hours_to_total;

DROP VIEW IF EXISTS hours_with_totals;

DROP TABLE IF EXISTS stdio_hours_landed;

DROP TABLE IF EXISTS posix_hours_landed;

DROP TABLE IF EXISTS run_hours_landed;

DROP TABLE IF EXISTS hours_of_totals;
