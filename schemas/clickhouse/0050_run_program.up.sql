-- The program of a run, as cases name it (org.weir.analysis.compare.Application), and names kept as numbers of a dictionary:
-- to group a year of runs by their users or programs then takes a fifth of the time.
ALTER TABLE runs_versions
    ADD COLUMN program LowCardinality(String) COMMENT 'base name of the executable; of an interpreter with the hash of the command line' AFTER exe_hash,
    MODIFY COLUMN user LowCardinality(Nullable(String)),
    MODIFY COLUMN account LowCardinality(Nullable(String)),
    MODIFY COLUMN partition LowCardinality(Nullable(String)),
    MODIFY COLUMN exe LowCardinality(String),
    MODIFY COLUMN filesystem LowCardinality(Nullable(String));

ALTER TABLE runs_versions UPDATE program =
    if(
        lengthUTF8(exe) > 200 OR match(exe, '^(python|perl|ruby|Rscript|R|julia|java|matlab|octave|node|bash|sh)[0-9.]*$'),
        concat(if(lengthUTF8(exe) > 200, substringUTF8(exe, 1, 80), exe), ' ', exe_hash),
        exe
    )
WHERE exe != '' SETTINGS mutations_sync = 2;

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
