DROP VIEW IF EXISTS findings;
DROP TABLE IF EXISTS findings_versions;
