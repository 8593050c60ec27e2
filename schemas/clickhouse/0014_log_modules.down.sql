DROP VIEW IF EXISTS log_modules;
DROP TABLE IF EXISTS log_modules_versions;
