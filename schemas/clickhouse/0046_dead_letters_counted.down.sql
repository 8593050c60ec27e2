DROP VIEW IF EXISTS dead_letters_open;

DROP VIEW IF EXISTS dead_letters;

ALTER TABLE dead_letters_versions
    DROP COLUMN IF EXISTS messages,
    DROP COLUMN IF EXISTS key;

CREATE VIEW dead_letters AS SELECT * EXCEPT (version, is_deleted) FROM dead_letters_versions FINAL;

CREATE VIEW dead_letters_open AS
SELECT letters.*
FROM dead_letters AS letters
LEFT JOIN
(
    SELECT cluster, file_name, max(landed_at) AS published
    FROM runs_versions
    WHERE is_deleted = 0
        AND (cluster, file_name) IN
            (SELECT cluster, basename(assumeNotNull(file)) FROM dead_letters_versions WHERE source = 'darshan')
    GROUP BY cluster, file_name
) AS logs
    ON logs.cluster = letters.cluster AND logs.file_name = basename(ifNull(letters.file, ''))
WHERE letters.source != 'darshan' OR logs.published <= letters.time;
