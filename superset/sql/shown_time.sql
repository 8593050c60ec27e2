-- Where the processes' time went, in seconds of a process on average: what POSIX and STDIO took on the file systems of the
-- site, and the rest. What a process waits for others, as in a collective call, is rest, and so is what a log does not know.
SELECT
    min(start_time) AS time,
    ifNull(any(user), '(unknown)') AS user,
    ifNull(any(account), '(unknown)') AS account,
    any(cluster) AS cluster,
    concat(each.1, if(each.1 = '5 all else' AND max(is_partly_unknown), ' or not known', '')) AS part,
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
            ('1 POSIX read', read_seconds),
            ('2 POSIX write', write_seconds),
            ('3 POSIX metadata', metadata_seconds),
            ('4 STDIO', stdio_data_seconds + stdio_metadata_seconds)
        ] AS known,
        arrayExists(each -> each.2 IS NULL, known) AS is_partly_unknown,
        arrayPushBack(
            known,
            ('5 all else', toNullable(greatest(0, run_time_seconds * nprocs - arraySum(each -> ifNull(each.2, 0), known))))
        ) AS parts
    FROM runs
    WHERE {{ shown }} AND run_time_seconds > 0
)
ARRAY JOIN parts AS each
GROUP BY each.1
HAVING seconds IS NOT NULL
