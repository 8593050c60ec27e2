DROP VIEW h5f_records;
DROP TABLE h5f_records_versions;
