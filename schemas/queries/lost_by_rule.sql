/*
title: What causes cost
question: How often was each cause found, in whose programs, and how many node-hours did their runs lose?
note: A run with two causes counts in both, so that the node-hours of the lines do not add up.
example: |
  cluster,rule_id,title,runs,users,programs,node_hours_lost
  c,small_io,Title of small_io,3,2,2,6.5
  c,many_opens,Title of many_opens,1,1,1,2.5
*/
SELECT
    cluster,
    rule_id,
    any(title) AS title,
    sum(findings) AS runs,
    uniqExactIf(user, user != '(unknown)') AS users,
    uniqExactIf(user, program, user != '(unknown)') AS programs,
    round(sum(totals.node_hours_lost), 2) AS node_hours_lost
FROM finding_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS totals
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, rule_id
ORDER BY sum(totals.node_hours_lost) DESC, cluster, rule_id
