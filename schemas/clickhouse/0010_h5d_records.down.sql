DROP VIEW h5d_records;
DROP TABLE h5d_records_versions;
