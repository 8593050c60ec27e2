-- An advice says how many stripes, or how large a block: what the rule worked out for it stands beside it, so that
-- dashboards say it with the numbers that reports have.
ALTER TABLE findings_versions
    ADD COLUMN advice_numbers String DEFAULT '{}' COMMENT 'JSON object: key of an advice to its numbers by name' AFTER advice;

CREATE OR REPLACE VIEW findings AS SELECT * EXCEPT (version, is_deleted) FROM findings_versions FINAL;
