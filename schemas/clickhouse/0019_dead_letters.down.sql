DROP VIEW dead_letters;
DROP TABLE dead_letters_versions;
