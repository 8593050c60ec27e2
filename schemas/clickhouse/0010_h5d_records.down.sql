DROP VIEW IF EXISTS h5d_records;
DROP TABLE IF EXISTS h5d_records_versions;
