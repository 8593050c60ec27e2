-- Each active job on ten targets for three hours.
INSERT INTO job_live_versions
    (cluster, job_id, array_index, server, target, job_key, time, reads, writes, bytes_read, bytes_written, other_operations,
    version, is_deleted, origin)
SELECT
    'history', $first + $active_jobs * intDiv(look, 1080) + pair % $active_jobs, NULL, concat('oss', toString(intDiv(place, 2))),
    concat('scratch-OST', hex(place)), 'key', toDateTime64('$start', 6, 'UTC') + toIntervalSecond(10 * look), 1e3 * look,
    9e2 * look, 1e9 * look * (1 + pair % $active_jobs), 2e9 * look, 50 * look, 1, 0, 'live'
FROM
(
    SELECT
        number % intDiv($seconds, 10) AS look,
        intDiv(number, intDiv($seconds, 10)) AS pair,
        (pair * 7 + intDiv(pair, $targets)) % $targets AS place
    FROM numbers(10 * $active_jobs * intDiv($seconds, 10))
)
