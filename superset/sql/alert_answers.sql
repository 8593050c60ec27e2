-- Messages by the rules that they named, and the answers that a finding was wrong. An answer without its message counts too.
WITH
    named AS
    (
        SELECT cluster, user, alert, mode, decided_at, arrayJoin(cases) AS case_id
        FROM alerts
        WHERE held = '' AND kind != 'fixed'
            -- an older message is asked for by an answer to it alone, which without it would have none
            AND (decided_at >= '{{ since }}' OR alert IN (SELECT alert FROM alert_controls WHERE kind = 'wrong'))
    ),
    entries AS
    (
        SELECT
            named.cluster AS cluster,
            named.user AS user,
            named.alert AS alert,
            known.rule_id AS rule,
            known.title AS title,
            toString(named.mode) AS mode,
            named.decided_at AS at,
            '' AS words,
            0 AS is_answer
        FROM named
        INNER JOIN (SELECT cluster, case_id, rule_id, title FROM cases) AS known USING (cluster, case_id)
        UNION ALL
        SELECT
            cluster,
            user,
            alert,
            rule_id AS rule,
            '' AS title,
            '(unknown)' AS mode,
            alert_controls.time AS at,
            text AS words,
            1 AS is_answer
        FROM alert_controls
        WHERE kind = 'wrong'
    )
SELECT
    if(message = 1, maxIf(at, is_answer = 0), max(at)) AS time,
    user,
    cluster,
    if(message = 1, argMaxIf(mode, at, is_answer = 0), '(unknown)') AS mode,
    rule,
    max(title) AS title,
    toUInt8(countIf(is_answer = 0) > 0) AS message,
    toUInt8(countIf(is_answer = 1) > 0) AS wrong,
    substringUTF8(argMaxIf(words, at, is_answer = 1), 1, 300) AS words,
    maxOrNullIf(at, is_answer = 1) AS answered_at
FROM entries
GROUP BY cluster, user, alert, rule
HAVING time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }}
