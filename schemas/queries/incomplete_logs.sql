/*
title: Logs that do not say everything
question: Which programs leave logs that are partial, damaged, unfinished or of a killed run?
parameters:
  limit: {type: UInt32, default: 50, meaning: how many lines}
example: |
  cluster,program,log_state,runs,share_of_its_runs,users,last_day
  c,sim,damaged,1,1,1,2026-05-10
*/
SELECT cluster, program, log_state, incomplete AS runs, round(incomplete / all_runs, 3) AS share_of_its_runs, users, last_day
FROM
(
    SELECT
        cluster,
        program,
        log_state,
        sum(runs) AS incomplete,
        sum(sum(runs)) OVER (PARTITION BY cluster, program) AS all_runs,
        uniqExactIf(user, user != '(unknown)') AS users,
        toDate(max(time)) AS last_day
    FROM run_io_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, program, log_state
)
WHERE log_state != 'complete'
ORDER BY incomplete DESC, cluster, program, log_state
LIMIT {limit:UInt32}
