-- How many jobs share a target (device) that holds their files, counted and as expected if the targets of each job were chosen
-- at random (Wright): of D targets, jobs that use R1, R2, ... of them use D - D * (1 - R1 / D) * (1 - R2 / D) * ... in all.
-- Jobs are counted at the begin of each interval, killed runs until their last I/O. D is the number of targets that the runs counted
-- at any of these moments used.
-- Runs whose targets are not known do not count, nor do those that began more than a day before the range.
{% set first = 'toUInt64(ceil(toUnixTimestamp64Micro(greatest(start_time, since)) / 1e6 / width))' -%}
{% set behind = 'toUInt64(ceil(toUnixTimestamp64Micro(least(' ~ active_until ~ ', until)) / 1e6 / width))' -%}
{% set in_range = 'start_time >= addDays(since, -1) AND start_time < until AND ' ~ active_until ~ ' >= since' -%}
WITH
    toDateTime64('{{ since }}', 6, 'UTC') AS since,
    toDateTime64('{{ until }}', 6, 'UTC') AS until,
    (SELECT {{ finest(60, 'start_time') }} FROM runs_versions) AS width,
    -- of a long range few runs are active at a moment: the hours in which such runs began are found by their times alone
    homes AS
    (
        SELECT
            cluster,
            assumeNotNull(filesystem) AS home,
            uniqExactArray(load_devices) AS number,
            groupArray((job_id, {{ first }}, {{ behind }}, load_devices)) AS runs
        FROM runs
        WHERE {{ in_range }} AND {{ of_center }} AND {{ first }} < {{ behind }}
            AND notEmpty(load_devices) AND filesystem IS NOT NULL
            AND toStartOfHour(start_time) IN
            (
                SELECT DISTINCT toStartOfHour(start_time)
                FROM runs_versions
                WHERE {{ in_range }} AND {{ of_center }} AND {{ first }} < {{ behind }}
            )
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
