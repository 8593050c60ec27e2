-- What runs of a program lost before and after the first message about it. It is worked out anew from all messages and runs
-- every five minutes, as each of the charts that show it would read all runs of its range instead. A delay does no harm here,
-- where thirty days are compared.
CREATE TABLE message_effects_versions
(
    cluster LowCardinality(String) COMMENT 'the computing center''s cluster, as its site file names it',
    user LowCardinality(String) COMMENT 'who got the messages, or in shadow mode would have got them',
    mode LowCardinality(String) COMMENT 'shadow, rehearsal or live; programs are judged in each mode apart',
    program String COMMENT 'as in runs',
    titles String COMMENT 'of the rules that the messages named',
    first_at DateTime64(6, 'UTC') COMMENT 'when the first message about the program was sent; in shadow mode, decided',
    fixed_at Nullable(DateTime64(6, 'UTC')) COMMENT 'when the last message said that a cause is gone',
    runs_before UInt64 COMMENT 'runs that ended in the 30 days before the first message, of which the loss is known, as of all here',
    lost_before Float64 COMMENT 'their node-hours lost',
    node_hours_before Float64 COMMENT 'their nodes times run time',
    runs_after UInt64 COMMENT 'runs that started in the 30 days after it',
    lost_after Float64 COMMENT 'their node-hours lost',
    node_hours_after Float64 COMMENT 'their nodes times run time',
    runs_fixed UInt64 COMMENT 'runs that started in the 30 days after fixed_at',
    lost_fixed Float64 COMMENT 'their node-hours lost',
    built_at DateTime64(6, 'UTC') COMMENT 'when it was worked out; what was worked out last counts'
)
ENGINE = ReplacingMergeTree(built_at)
ORDER BY (cluster, user, mode, program);

CREATE VIEW message_effects AS
SELECT * EXCEPT built_at
FROM message_effects_versions FINAL
WHERE built_at = (SELECT max(built_at) FROM message_effects_versions);

CREATE MATERIALIZED VIEW message_effects_build REFRESH EVERY 5 MINUTE APPEND TO message_effects_versions AS
WITH
    -- programs whose first message is older are left out, so that the work does not grow with the history
    (SELECT max(decided_at) - INTERVAL 400 DAY FROM alerts) AS since,
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
        HAVING first_at >= since
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
        WHERE runs.user IS NOT NULL AND node_hours_lost IS NOT NULL AND start_time >= since - INTERVAL 30 DAY
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
            sumIf(node_hours, is_before) AS node_hours_before,
            countIf(is_after) AS runs_after,
            sumIf(lost, is_after) AS lost_after,
            sumIf(node_hours, is_after) AS node_hours_after,
            countIf(is_fixed) AS runs_fixed,
            sumIf(lost, is_fixed) AS lost_fixed
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
    cluster,
    user,
    mode,
    program,
    titles,
    assumeNotNull(programs.first_at) AS first_at,
    fixed_at,
    runs_before,
    lost_before,
    node_hours_before,
    runs_after,
    lost_after,
    node_hours_after,
    runs_fixed,
    lost_fixed,
    now64(6, 'UTC') AS built_at
FROM programs
LEFT JOIN judged USING (cluster, user, mode, program);
