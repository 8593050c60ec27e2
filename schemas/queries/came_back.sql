/*
title: Causes that came back
question: Which causes were fixed and are found again, in whose programs?
note: The range is that of the first message after the one that called it fixed.
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
    fixed AS
    (
        SELECT cluster, case_id, min(decided_at) AS fixed_at
        FROM sent_messages
        WHERE kind = 'fixed'
        GROUP BY cluster, case_id
    )
SELECT
    cluster,
    user,
    program,
    rule_id,
    any(title) AS rule,
    any(fixed.fixed_at) AS was_fixed_at,
    min(decided_at) AS again_at,
    any(state) AS now,
    round(any(node_hours_lost), 1) AS node_hours_lost_in_all
FROM sent_messages
INNER JOIN fixed USING (cluster, case_id)
INNER JOIN cases USING (cluster, case_id)
WHERE sent_messages.kind != 'fixed' AND decided_at > fixed.fixed_at
GROUP BY cluster, case_id, user, program, rule_id
HAVING again_at >= {since:DateTime64(6, 'UTC')} AND again_at < {until:DateTime64(6, 'UTC')}
ORDER BY again_at DESC, cluster, user, program, rule_id
