DROP VIEW pnetcdf_file_records;
DROP TABLE pnetcdf_file_records_versions;
