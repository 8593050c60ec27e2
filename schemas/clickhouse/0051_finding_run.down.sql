DROP VIEW IF EXISTS findings;

ALTER TABLE findings_versions
    DROP COLUMN IF EXISTS job_id,
    DROP COLUMN IF EXISTS user,
    DROP COLUMN IF EXISTS account,
    DROP COLUMN IF EXISTS exe,
    DROP COLUMN IF EXISTS program,
    DROP COLUMN IF EXISTS filesystem,
    DROP COLUMN IF EXISTS verdict;

CREATE VIEW findings AS SELECT * EXCEPT (version, is_deleted) FROM findings_versions FINAL;
