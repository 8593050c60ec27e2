/*
title: Collective MPI-IO
question: Which programs use MPI-IO, how much of it is collective, and how much time do they spend in it?
note: Operations on file systems of the site. Hours are those of the slowest process, summed over runs. runs are
  all of the program.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
example: |
  cluster,program,user,runs,operations,collective_share,mpiio_hours,collective_overhead_hours
  c,app,ann,2,48,0.75,0.5,0.1
*/
SELECT
    cluster,
    program,
    nullIf(user, '(unknown)') AS user,
    sum(runs) AS runs,
    toUInt64(sum(collective_operations + independent_operations)) AS operations,
    round(sum(collective_operations) / operations, 3) AS collective_share,
    round(sum(io_time_mpiio_seconds) / 3600, 2) AS mpiio_hours,
    round(sum(collective_overhead_seconds) / 3600, 2) AS collective_overhead_hours
FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, program, user
HAVING operations > 0
ORDER BY sum(io_time_mpiio_seconds) DESC, cluster, program, user
LIMIT {limit:UInt32}
