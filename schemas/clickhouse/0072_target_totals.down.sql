DROP TABLE IF EXISTS days_of_targets_build;

DROP TABLE IF EXISTS target_totals_build;

DROP VIEW IF EXISTS target_totals;

DROP TABLE IF EXISTS target_totals_versions;

DROP VIEW IF EXISTS target_measures;

DROP TABLE IF EXISTS targets_landed;

ALTER TABLE days_of_totals DELETE WHERE table = 'targets';
