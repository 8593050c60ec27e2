/*
title: Logs that do not say everything
question: Which programs leave logs that are partial, damaged, unfinished or of a killed run?
parameters:
  limit: {type: UInt32, default: 50, meaning: how many lines}
*/
SELECT
    cluster,
    program,
    log_state,
    count() AS runs,
    round(runs / any(all_runs), 3) AS share_of_its_runs,
    uniqExact(user) AS users,
    max(start_time) AS last_start
FROM
(
    SELECT cluster, program, log_state, user, start_time, count() OVER (PARTITION BY cluster, program) AS all_runs
    FROM runs
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster)
)
WHERE log_state != 'complete'
GROUP BY cluster, program, log_state
ORDER BY runs DESC, cluster, program, log_state
LIMIT {limit:UInt32}
