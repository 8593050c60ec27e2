-- How many jobs share a target (device) that holds their files, counted and as expected if the targets of each job were chosen
-- at random (Wright): of D targets, jobs that use R1, R2, ... of them use D - D * (1 - R1 / D) * (1 - R2 / D) * ... in all.
-- Jobs are counted at the begin of each interval. D is the number of targets that runs of the range used. Runs whose targets
-- are not known do not count, nor do those that began more than a day before the range.
WITH
    toDateTime64('{{ since }}', 6, 'UTC') AS since,
    toDateTime64('{{ until }}', 6, 'UTC') AS until,
    (SELECT {{ finest(60, 'start_time') }} FROM runs_versions) AS width,
    -- all runs are read once: the targets of all are counted, and those that are active at a moment kept
    homes AS
    (
        SELECT
            cluster,
            assumeNotNull(filesystem) AS home,
            uniqExactArray(load_devices) AS number,
            groupArrayIf(
                (
                    job_id,
                    toUInt64(ceil(toUnixTimestamp64Micro(greatest(start_time, since)) / 1e6 / width)) AS first,
                    toUInt64(ceil(toUnixTimestamp64Micro(least(end_time, until)) / 1e6 / width)) AS behind,
                    load_devices
                ),
                first < behind
            ) AS runs
        FROM runs
        WHERE start_time >= addDays(since, -1) AND start_time < until AND end_time >= since
            AND {{ of_center }} AND notEmpty(load_devices) AND filesystem IS NOT NULL
        GROUP BY cluster, home
    ),
    -- runs of one job are one
    active AS
    (
        SELECT cluster, home, any(number) AS number, moment, groupUniqArrayArray(run.4) AS own
        FROM homes
        ARRAY JOIN runs AS run
        ARRAY JOIN range(run.2, run.3) AS moment
        GROUP BY cluster, home, moment, run.1
    ),
    -- a row of a job and target has its part of what the job counts for: of a job on three targets a third
    used AS
    (
        SELECT
            cluster,
            home,
            moment,
            target,
            count() AS jobs_here,
            sum(1 / length(own)) AS parts,
            sum(log(1 - length(own) / number) / length(own)) AS spared,
            any(number) AS all_targets
        FROM active
        ARRAY JOIN own AS target
        GROUP BY cluster, home, moment, target
    )
SELECT
    toDateTime(moment * width, 'UTC') AS time,
    cluster,
    home AS filesystem,
    toUInt64(round(sum(parts))) AS jobs,
    any(all_targets) AS targets_known,
    sum(jobs_here) AS stripes,
    count() AS targets_in_use,
    max(jobs_here) AS most_jobs,
    targets_known * (1 - exp(sum(spared))) AS targets_expected
FROM used
GROUP BY time, cluster, filesystem
