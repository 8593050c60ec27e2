DROP VIEW log_modules;
DROP TABLE log_modules_versions;
