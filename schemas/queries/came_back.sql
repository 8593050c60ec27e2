/*
title: Causes that came back
question: Which causes were fixed and are found again, in whose programs?
note: The range is that of the first message after one that called it fixed; a cause has a row each time that it came back.
example: |
  cluster,user,program,rule_id,rule,was_fixed_at,again_at,now,node_hours_lost_in_all
  c,ann,app,small_io,Title of small_io,2026-05-21 00:00:00.000000,2026-06-10 00:00:00.000000,open,3
*/
WITH
    sent_messages AS
    (
        SELECT cluster, kind, decided_at, arrayJoin(cases) AS case_id
        FROM alerts
        WHERE mode = 'live' AND held = ''
            AND {cluster:String} IN ('', cluster)
    ),
    followed AS
    (
        SELECT *, lagInFrame(kind) OVER own AS kind_before, lagInFrame(decided_at) OVER own AS decided_before
        FROM sent_messages
        WINDOW own AS (PARTITION BY cluster, case_id ORDER BY decided_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    )
SELECT
    cluster,
    user,
    program,
    rule_id,
    title AS rule,
    decided_before AS was_fixed_at,
    decided_at AS again_at,
    state AS now,
    round(node_hours_lost, 1) AS node_hours_lost_in_all
FROM followed
INNER JOIN cases USING (cluster, case_id)
WHERE kind != 'fixed' AND kind_before = 'fixed'
    AND again_at >= {since:DateTime64(6, 'UTC')} AND again_at < {until:DateTime64(6, 'UTC')}
ORDER BY again_at DESC, cluster, user, program, rule_id
