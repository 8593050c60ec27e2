DROP VIEW runs;
DROP TABLE runs_versions;
