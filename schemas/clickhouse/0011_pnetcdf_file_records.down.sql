DROP VIEW IF EXISTS pnetcdf_file_records;
DROP TABLE IF EXISTS pnetcdf_file_records_versions;
