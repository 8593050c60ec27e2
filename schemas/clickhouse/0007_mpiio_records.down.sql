DROP VIEW IF EXISTS mpiio_records;
DROP TABLE IF EXISTS mpiio_records_versions;
