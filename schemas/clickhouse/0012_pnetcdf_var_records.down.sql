DROP VIEW pnetcdf_var_records;
DROP TABLE pnetcdf_var_records_versions;
