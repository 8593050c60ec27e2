DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS program,
    MODIFY COLUMN user Nullable(String),
    MODIFY COLUMN account Nullable(String),
    MODIFY COLUMN partition Nullable(String),
    MODIFY COLUMN exe String,
    MODIFY COLUMN filesystem Nullable(String);

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
