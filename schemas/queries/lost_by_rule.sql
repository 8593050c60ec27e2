/*
title: What causes cost
question: How often was each cause found, in whose programs, and how many node-hours did their runs lose?
note: A run with two causes counts in both, so that the node-hours of the lines do not add up.
*/
SELECT
    cluster,
    rule_id,
    any(title) AS title,
    count() AS runs,
    uniqExact(user) AS users,
    uniqExact(user, program) AS programs,
    round(sum(ifNull(node_hours_lost, 0)), 2) AS node_hours_lost
FROM findings
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, rule_id
ORDER BY node_hours_lost DESC, cluster, rule_id
