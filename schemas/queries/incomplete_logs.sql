/*
title: Logs that do not say everything
question: Which programs leave logs that are partial, damaged, unfinished or of a killed run?
parameters:
  limit: {type: UInt32, default: 50, meaning: how many lines}
*/
SELECT cluster, program, log_state, runs, round(runs / all_runs, 3) AS share_of_its_runs, users, last_start
FROM
(
    SELECT
        cluster,
        program,
        log_state,
        count() AS runs,
        sum(count()) OVER (PARTITION BY cluster, program) AS all_runs,
        uniqExactIf(user, log_state != 'complete') AS users,
        max(start_time) AS last_start
    FROM runs
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster)
    GROUP BY cluster, program, log_state
)
WHERE log_state != 'complete'
ORDER BY runs DESC, cluster, program, log_state
LIMIT {limit:UInt32}
