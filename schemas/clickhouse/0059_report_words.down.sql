DROP VIEW IF EXISTS report_words;
DROP TABLE IF EXISTS report_words_versions;
