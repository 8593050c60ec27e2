DROP VIEW mpiio_records;
DROP TABLE mpiio_records_versions;
