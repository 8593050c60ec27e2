/*
title: Storage targets that were slow again and again
question: Which Lustre target was the slowest of a run, far behind the median, and in how many runs?
note: Runs in which the rule slow_target held, with the thresholds of the site. Totals of days are added up.
  The file system is the one where most bytes of the run went. Of a run on two of Lustre the target may be of the other one.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many targets}
example: |
  cluster,filesystem,target,runs,users,mean_ratio,mean_mib_per_second,last_start
  c,scratch,14,1,1,0.02,0.5,2026-05-10 10:00:00.000000
*/
SELECT
    cluster,
    filesystem,
    toInt64(replaceOne(met.target, 'OST ', '')) AS target,
    sum(met.runs) AS runs,
    uniqExactIf(user, user != '(unknown)') AS users,
    round(sum(ratios) / runs, 3) AS mean_ratio,
    round(sum(rates) / runs, 1) AS mean_mib_per_second,
    max(met.last_start) AS last_start
FROM target_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')}) AS met
WHERE {cluster:String} IN ('', cluster) AND rule_id = 'slow_target'
GROUP BY cluster, filesystem, target
ORDER BY runs DESC, cluster, filesystem, target
LIMIT {limit:UInt32}
