-- What each job does now: the rate between the newest two looks at each count of it, where the newest is at most two
-- minutes older than the newest of its cluster. A job that is idle is not told of by its servers, so it leaves the list.
-- Not from job_live_rates, which reads all days for that.
WITH
    -- stands in the table's parts, nothing is read
    (SELECT least(max(time), toDateTime64('{{ until }}', 6, 'UTC')) FROM job_live_versions) AS newest,
    looks AS
    (
        SELECT *, ifNull(array_index, -1) AS task, max(time) OVER (PARTITION BY cluster) AS last
        FROM job_live
        WHERE time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }} AND time > newest - INTERVAL 10 MINUTE
        ORDER BY time DESC
        LIMIT 2 BY cluster, job_id, server, target, job_key
    ),
    rates AS
    (
        SELECT
            cluster,
            job_id,
            task,
            server,
            max(time) AS at,
            dateDiff('microsecond', min(time), at) / 1e6 AS seconds,
            (argMax(tuple(bytes_read), time).1 - argMin(tuple(bytes_read), time).1) / seconds AS read,
            (argMax(tuple(bytes_written), time).1 - argMin(tuple(bytes_written), time).1) / seconds AS written,
            (argMax(tuple(other_operations), time).1 - argMin(tuple(other_operations), time).1) / seconds AS operations
        FROM looks
        GROUP BY cluster, job_id, task, server, target, job_key
        -- a count that fell began anew
        HAVING count() = 2 AND at > max(last) - INTERVAL 2 MINUTE
            AND least(ifNull(read, 0), ifNull(written, 0), ifNull(operations, 0)) >= 0
    ),
    submits AS
    (
        SELECT
            cluster,
            job_id,
            ifNull(array_index, -1) AS task,
            argMax(tuple(user, account, job_name, job_uid), submit_time) AS newest_submit
        FROM scheduler_jobs
        -- by the index of ids, so that the history does not matter
        WHERE job_id IN (SELECT job_id FROM job_live_versions WHERE time > newest - INTERVAL 10 MINUTE)
        GROUP BY cluster, job_id, task
    )
SELECT
    max(at) AS time,
    cluster,
    {{ job_and_task('nullIf(task, -1)') }} AS job,
    ifNull(any(newest_submit).1, '(unknown)') AS user,
    ifNull(any(newest_submit).2, '(unknown)') AS account,
    any(newest_submit).3 AS job_name,
    any(newest_submit).4 AS job_uid,
    ifNull(sum(read), 0) / 1048576 AS read_mib_per_second,
    ifNull(sum(written), 0) / 1048576 AS write_mib_per_second,
    read_mib_per_second + write_mib_per_second AS mib_per_second,
    ifNull(sum(operations), 0) AS metadata_per_second,
    uniqExact(server) AS servers,
    dateDiff('second', time, now()) AS age_seconds
FROM rates
LEFT JOIN submits USING (cluster, job_id, task)
GROUP BY cluster, job_id, task
