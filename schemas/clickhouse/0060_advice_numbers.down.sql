ALTER TABLE findings_versions DROP COLUMN IF EXISTS advice_numbers;

CREATE OR REPLACE VIEW findings AS SELECT * EXCEPT (version, is_deleted) FROM findings_versions FINAL;
