-- Files of runs with several processes, and their bytes, by how many of the processes opened them.
SELECT
    start_time AS time,
    cluster,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    ifNull(filesystem, '(none)') AS filesystem,
    sharing.1 AS opened_by,
    ifNull(sharing.2, 0) AS files,
    ifNull(sharing.3, 0) AS bytes
FROM runs
ARRAY JOIN [
    ('one process', unique_files, unique_file_bytes),
    ('some processes', partial_files, partial_file_bytes),
    ('all processes', shared_files, shared_file_bytes)
] AS sharing
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }} AND nprocs > 1
