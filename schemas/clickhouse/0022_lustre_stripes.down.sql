DROP VIEW IF EXISTS lustre_stripes;
DROP TABLE IF EXISTS lustre_stripes_versions;
