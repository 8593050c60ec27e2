DROP VIEW IF EXISTS alert_controls;
DROP TABLE IF EXISTS alert_controls_versions;
DROP VIEW IF EXISTS deliveries;
DROP TABLE IF EXISTS deliveries_versions;
DROP VIEW IF EXISTS alerts;
DROP TABLE IF EXISTS alerts_versions;
DROP VIEW IF EXISTS cases;
DROP TABLE IF EXISTS cases_versions;
