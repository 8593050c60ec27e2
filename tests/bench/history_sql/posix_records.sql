-- File records of each run, as Darshan has them of POSIX: of ten files one is an input of the project that many runs read with all
-- their processes, one a library that nearly all programs open, and eight are the run's own, one a process.
INSERT INTO posix_records_versions
    (cluster, log_id, job_id, start_time, record_id, rank, name, module_version, POSIX_OPENS, POSIX_READS, POSIX_WRITES,
    POSIX_BYTES_READ, POSIX_BYTES_WRITTEN, POSIX_MAX_BYTE_READ, POSIX_MAX_BYTE_WRITTEN, POSIX_F_READ_TIME,
    POSIX_F_WRITE_TIME, POSIX_F_META_TIME, version, is_deleted, origin, landed_at)
SELECT
    'history', id, job_number, began, cityHash64(path), if(place % 10 < 2, -1, place), path, 4, 1 + cell % 9, cell % 1000,
    if(place % 10 < 2, 0, cell % 700), if(place % 10 < 2, cell % 1073741824, 0) AS read,
    if(place % 10 < 2, 0, cell % 268435456) AS written, read - 1, written - 1, (cell % 1000) / 100, (cell % 700) / 100,
    (cell % 100) / 1000, 1, 0, 'live', began
FROM
(
    SELECT
        *,
        place,
        cityHash64(h, place) AS cell,
        multiIf(
            place % 10 = 0, concat('/scratch/', project, '/input/', binary, '/field.', toString(cell % 200), '.h5'),
            place % 10 = 1, concat('/apps/lib/python3/site-packages/module', toString(cell % 3000), '.py'),
            concat('/scratch/', owner, '/', binary, '/run_', substring(id, 1, 12), '/rank.', toString(place), '.out')
        ) AS path
    FROM ($numbered)
    ARRAY JOIN range($files) AS place
)
