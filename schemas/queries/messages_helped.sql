/*
title: Whether messages helped
question: Of the causes that messages named to users, how many are gone, after how many days, and how many were called
  wrong?
note: A cause counts by its first message, with what was said of it since; days are until it was first called fixed, also
  of one that came back. Of shadow mode and rehearsals nothing counts.
example: |
  cluster,rule_id,rule,causes,users,fixed,fixed_share,median_days,called_wrong
  c,small_io,Title of small_io,2,2,1,0.5,7.5,1
  c,many_opens,Title of many_opens,1,1,0,0,\N,0
*/
WITH
    sent_messages AS
    (
        SELECT cluster, alert, kind, decided_at, arrayJoin(cases) AS case_id
        FROM alerts
        WHERE mode = 'live' AND held = ''
            AND {cluster:String} IN ('', cluster)
    ),
    named AS
    (
        SELECT
            cluster,
            case_id,
            minOrNullIf(decided_at, kind != 'fixed') AS first_at,
            minOrNullIf(decided_at, kind = 'fixed') AS fixed_at
        FROM sent_messages
        GROUP BY cluster, case_id
        HAVING first_at >= {since:DateTime64(6, 'UTC')} AND first_at < {until:DateTime64(6, 'UTC')}
    ),
    called_wrong AS
    (
        SELECT cluster, case_id, answers.rule_id AS rule_id
        FROM alert_controls AS answers
        INNER JOIN sent_messages USING (cluster, alert)
        WHERE answers.kind = 'wrong' AND {cluster:String} IN ('', cluster)
    )
SELECT
    cluster,
    rule_id,
    any(title) AS rule,
    count() AS causes,
    uniqExact(user) AS users,
    countIf(state = 'fixed') AS fixed,
    round(fixed / causes, 3) AS fixed_share,
    round(median(dateDiff('second', first_at, fixed_at)) / 86400, 1) AS median_days,
    countIf((cluster, case_id, rule_id) IN (called_wrong)) AS called_wrong
FROM named
INNER JOIN cases USING (cluster, case_id)
GROUP BY cluster, rule_id
ORDER BY causes DESC, cluster, rule_id
