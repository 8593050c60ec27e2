-- How many jobs share a target (device) that holds their files, counted and as expected if the targets of each job were chosen
-- at random (Wright): of D targets, jobs that use R1, R2, ... of them use D - D * (1 - R1 / D) * (1 - R2 / D) * ... in all.
-- Jobs are counted at the begin of each interval. D is the number of targets that runs of the range used. Runs whose targets
-- are not known do not count, nor do those that began more than a day before the range.
WITH
    toDateTime64('{{ since }}', 6, 'UTC') AS since,
    toDateTime64('{{ until }}', 6, 'UTC') AS until,
    -- the finest bucket with which what there is in the range still fits on the axis; the first and last times of a table
    -- stand in its parts, nothing is read
    (
        SELECT
            arrayFirst(
                seconds -> dateDiff(
                    'second', greatest(min(start_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(start_time), toDateTime64('{{ until }}', 6, 'UTC'))
                ) <= 120 * seconds,
                [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800, 2592000, 7776000, 31536000]
            )
        FROM runs_versions
    ) AS width,
    known AS
    (
        SELECT
            cluster,
            assumeNotNull(filesystem) AS home,
            ifNull(job_uid, log_id) AS job,
            toUnixTimestamp64Micro(greatest(start_time, since)) / 1e6 AS began,
            toUnixTimestamp64Micro(least(end_time, until)) / 1e6 AS till,
            load_devices
        FROM runs
        WHERE start_time >= addDays(since, -1) AND start_time < until AND end_time >= since
            AND {{ of_center }} AND notEmpty(load_devices) AND filesystem IS NOT NULL
    ),
    targets AS
    (
        SELECT cluster, home, uniqExactArray(load_devices) AS number
        FROM known
        GROUP BY cluster, home
    ),
    active AS
    (
        SELECT cluster, home, moment, groupUniqArrayArray(load_devices) AS own
        FROM known
        ARRAY JOIN range(toUInt64(ceil(began / width)), toUInt64(ceil(till / width))) AS moment
        GROUP BY cluster, home, moment, job
    )
SELECT
    toDateTime(moment * width, 'UTC') AS time,
    cluster,
    home AS filesystem,
    count() AS jobs,
    any(number) AS targets_known,
    sumMap(own, arrayMap(target -> 1, own)).2 AS jobs_by_target,
    arraySum(jobs_by_target) AS stripes,
    length(jobs_by_target) AS targets_in_use,
    arrayMax(jobs_by_target) AS most_jobs,
    targets_known * (1 - exp(sum(log(1 - length(own) / number)))) AS targets_expected
FROM active
INNER JOIN targets USING (cluster, home)
GROUP BY time, cluster, filesystem
