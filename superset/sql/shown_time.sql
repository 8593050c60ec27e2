-- Where the processes' time went, in seconds of a process on average: what POSIX and STDIO took on the file systems of the
-- site, and the rest. What a process waits for others, as in a collective call, is rest.
SELECT
    min(start_time) AS time,
    ifNull(any(user), '(unknown)') AS user,
    ifNull(any(account), '(unknown)') AS account,
    any(cluster) AS cluster,
    each.1 AS part,
    sum(each.2) / sum(nprocs) AS seconds
FROM
(
    SELECT
        start_time,
        user,
        account,
        cluster,
        nprocs,
        [
            ('1 POSIX read', ifNull(read_seconds, 0)),
            ('2 POSIX write', ifNull(write_seconds, 0)),
            ('3 POSIX metadata', ifNull(metadata_seconds, 0)),
            ('4 STDIO', ifNull(stdio_data_seconds, 0) + ifNull(stdio_metadata_seconds, 0))
        ] AS known,
        arrayPushBack(
            known,
            ('5 all else', greatest(0, run_time_seconds * nprocs - arraySum(each -> each.2, known)))
        ) AS parts
    FROM runs
    WHERE {{ shown }} AND run_time_seconds > 0
)
ARRAY JOIN parts AS each
GROUP BY part
