-- How many runs met a slow target, or devices that others kept busy, or put too many stripes on a target themselves. Of
-- intervals of a day and more, whole days are added up.
WITH
    ['slow_target', 'device_contention', 'target_overload'] AS rules,
    (SELECT {{ finest(60, 'start_time') }} FROM findings_versions) AS width,
    met AS
    (
        SELECT
            start_time AS time,
            cluster,
            ifNull(user, '(unknown)') AS user,
            ifNull(account, '(unknown)') AS account,
            ifNull(filesystem, '(none)') AS filesystem,
            program,
            rule_id,
            toUInt64(1) AS findings
        FROM findings
        WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center }}
            AND width < 86400 AND rule_id IN rules
        UNION ALL
        SELECT time, cluster, user, account, filesystem, program, rule_id, findings
        FROM finding_totals(since = '{{ since }}', until = '{{ until }}')
        WHERE width >= 86400 AND {{ of_center }} AND rule_id IN rules
    )
SELECT
    time,
    toStartOfInterval(time, toIntervalSecond(width)) AS bucket,
    cluster,
    user,
    account,
    filesystem,
    program,
    transform(rule_id, rules, ['slow target', 'busy with others', 'overloaded by the run'], '') AS met,
    findings AS runs
FROM met
