/*
title: Storage targets that were slow again and again
question: Which Lustre target was the slowest of a run, far behind the median, and in how many runs?
parameters:
  ratio: {type: Float64, default: 0.25, meaning: the part of the median rate below which a target is slow}
  limit: {type: UInt32, default: 20, meaning: how many targets}
*/
SELECT
    cluster,
    filesystem,
    toUInt64(slowest_target) AS target,
    count() AS runs,
    uniqExact(user) AS users,
    round(median(slowest_target_ratio), 3) AS median_ratio,
    round(median(slowest_target_mib_per_second), 1) AS median_mib_per_second,
    max(start_time) AS last_start
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
    AND targets_timed >= 8 AND slowest_target_ratio < {ratio:Float64}
GROUP BY cluster, filesystem, target
ORDER BY runs DESC, cluster, filesystem, target
LIMIT {limit:UInt32}
