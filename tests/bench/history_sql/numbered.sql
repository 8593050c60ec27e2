-- A row a run, in the order of time: its number, hash, owner, program, size and times. A user has five programs and one
-- project, and few of the users have most of the runs. Nine in ten runs of a program are on one file system and have the same
-- findings, where they have any; which runs are slow is up to chance.
SELECT
    $first + number AS job_number,
    cityHash64(job_number) AS h,
    toDateTime64('$start', 6, 'UTC') + toIntervalMicrosecond(intDiv(1000000 * $seconds * number, $count)) AS began,
    pow(2, intDiv(h, 11) % 12)::Int64 AS processes,
    greatest(1, intDiv(processes, 64)) AS width,
    30 + intDiv(h, 13) % 20000 AS duration,
    intDiv(h, 43) % 7200 AS queued,
    toUInt32(pow(intDiv(h, 17) % 1000 / 1000, 3) * 2000) AS user_number,
    concat('user', toString(user_number)) AS owner,
    concat('project', toString(cityHash64(owner) % 400)) AS project,
    concat('program', toString(cityHash64(owner, intDiv(h, 19) % 5) % 3000)) AS binary,
    if(intDiv(h, 47) % 10 = 0, h, cityHash64(binary)) AS kind,
    ['scratch', 'home', 'project'][1 + intDiv(kind, 23) % 3] AS home,
    pow(10, 3 + intDiv(h, 29) % 1000 / 111)::Int64 AS moved,
    lower(hex(MD5(toString(job_number)))) AS id,
    h % 11 = 0 AS was_slow,
    ['not_slow', 'application', 'storage', 'unknown'][1 + if(was_slow, 1 + h % 3, 0)] AS judged,
    arraySlice(
        [
            'many_opens', 'metadata_heavy', 'rank0_io', 'small_io', 'shared_file_small_stripe', 'stdio_heavy',
            'no_collective', 'straggler', 'device_contention', 'random_reads'
        ],
        1 + kind % 10,
        kind % 3
    ) AS held
FROM numbers($count)
WHERE $which
