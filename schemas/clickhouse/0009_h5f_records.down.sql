DROP VIEW IF EXISTS h5f_records;
DROP TABLE IF EXISTS h5f_records_versions;
