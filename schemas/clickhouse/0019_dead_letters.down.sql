DROP VIEW IF EXISTS dead_letters;
DROP TABLE IF EXISTS dead_letters_versions;
