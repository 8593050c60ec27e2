-- How many runs met a slow target, or devices that others kept busy, or put too many stripes on a target themselves, by the target
-- as in contended_runs. Of intervals of a day and more, whole days are added up.
WITH
    (SELECT {{ finest(60, 'start_time') }} FROM runs_versions) AS width,
    met AS
    (
        SELECT start_time AS time, cluster, user, account, filesystem, program, rule_id, target, runs
        FROM target_measures
        WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }} AND width < 86400
        UNION ALL
        SELECT time, cluster, user, account, filesystem, program, rule_id, target, runs
        FROM target_totals(since = '{{ since }}', until = '{{ until }}')
        WHERE width >= 86400 AND {{ of_center }}
    )
SELECT
    time,
    toStartOfInterval(time, toIntervalSecond(width)) AS bucket,
    cluster,
    user,
    account,
    filesystem,
    program,
    {{ target_was }} AS met,
    {{ target_of_its_filesystem }} AS target,
    runs
FROM met
