DROP VIEW findings;
DROP TABLE findings_versions;
