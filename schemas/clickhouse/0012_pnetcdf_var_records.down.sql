DROP VIEW IF EXISTS pnetcdf_var_records;
DROP TABLE IF EXISTS pnetcdf_var_records_versions;
