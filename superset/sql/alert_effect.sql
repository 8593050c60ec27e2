-- Runs of a program before and after the first message about it. In shadow mode nobody got that message: such programs
-- show what happens without one. Runs of which the loss is not known count nowhere.
WITH
    messages AS
    (
        SELECT cluster, recipient AS user, mode, kind, cases, deliveries.time AS told_at
        FROM deliveries
        WHERE state = 'sent' AND kind IN ('finding', 'reminder', 'digest', 'fixed')
        UNION ALL
        SELECT cluster, user, mode, kind, cases, decided_at AS told_at
        FROM alerts
        WHERE mode = 'shadow' AND held = ''
    ),
    named AS
    (
        SELECT cluster, user, mode, kind, told_at, arrayJoin(cases) AS case_id
        FROM messages
    ),
    programs AS
    (
        SELECT
            named.cluster AS cluster,
            named.user AS user,
            named.mode AS mode,
            known.program AS program,
            arrayStringConcat(arraySort(groupUniqArray(known.title)), ', ') AS titles,
            minOrNullIf(named.told_at, named.kind != 'fixed') AS first_at,
            maxOrNullIf(named.told_at, named.kind = 'fixed') AS fixed_at
        FROM named
        INNER JOIN (SELECT cluster, case_id, program, title FROM cases) AS known USING (cluster, case_id)
        GROUP BY cluster, user, mode, program
        HAVING first_at >= '{{ since }}' AND first_at < '{{ until }}' AND {{ of_center }}
    ),
    known_runs AS
    (
        SELECT
            cluster,
            assumeNotNull(user) AS user,
            program,
            start_time,
            end_time,
            assumeNotNull(node_hours_lost) AS lost,
            ifNull(run_nodes * run_time_seconds / 3600, 0) AS node_hours
        FROM runs
        WHERE runs.user IS NOT NULL AND node_hours_lost IS NOT NULL
            AND start_time >= toDateTime64('{{ since }}', 6, 'UTC') - INTERVAL 30 DAY
    ),
    judged AS
    (
        SELECT
            cluster,
            user,
            mode,
            program,
            countIf(is_before) AS runs_before,
            sumIf(lost, is_before) AS lost_before,
            lost_before / nullIf(runs_before, 0) AS per_run_before,
            lost_before / nullIf(sumIf(node_hours, is_before), 0) AS share_before,
            countIf(is_after) AS runs_after,
            sumIf(lost, is_after) AS lost_after,
            lost_after / nullIf(runs_after, 0) AS per_run_after,
            lost_after / nullIf(sumIf(node_hours, is_after), 0) AS share_after,
            countIf(is_fixed) AS runs_fixed,
            sumIf(lost, is_fixed) / nullIf(runs_fixed, 0) AS per_run_fixed
        FROM
        (
            SELECT
                *,
                end_time <= first_at AND start_time >= first_at - INTERVAL 30 DAY AS is_before,
                start_time >= first_at AND start_time < first_at + INTERVAL 30 DAY AS is_after,
                ifNull(start_time >= fixed_at AND start_time < fixed_at + INTERVAL 30 DAY, 0) AS is_fixed
            FROM known_runs
            INNER JOIN programs USING (cluster, user, program)
        )
        GROUP BY cluster, user, mode, program
    )
SELECT
    programs.first_at AS time,
    cluster,
    user,
    mode,
    program,
    titles,
    fixed_at,
    runs_before,
    lost_before,
    per_run_before,
    share_before,
    runs_after,
    lost_after,
    per_run_after,
    share_after,
    runs_fixed,
    per_run_fixed,
    runs_fixed * (per_run_before - per_run_fixed) AS gained_node_hours
FROM programs
LEFT JOIN judged USING (cluster, user, mode, program)
