/*
title: Collective MPI-IO
question: Which programs use MPI-IO, how much of it is collective, and how much time do they spend in it?
note: Operations on file systems of the site. Hours are those of the slowest process, summed over runs.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
*/
SELECT
    cluster,
    program,
    user,
    count() AS runs,
    toUInt64(sum(calls.1 + calls.2)) AS operations,
    round(sum(calls.1) / operations, 3) AS collective_share,
    round(sum(io_time_mpiio_seconds) / 3600, 2) AS mpiio_hours,
    round(sum(collective_overhead_seconds) / 3600, 2) AS collective_overhead_hours
FROM
(
    SELECT
        *,
        (
            ifNull(mpiio_coll_reads, 0) + ifNull(mpiio_coll_writes, 0)
                + ifNull(mpiio_split_reads, 0) + ifNull(mpiio_split_writes, 0),
            ifNull(mpiio_indep_reads, 0) + ifNull(mpiio_indep_writes, 0)
                + ifNull(mpiio_nb_reads, 0) + ifNull(mpiio_nb_writes, 0)
        ) AS calls
    FROM runs
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster)
)
GROUP BY cluster, program, user
HAVING operations > 0
ORDER BY mpiio_hours DESC, cluster, program, user
LIMIT {limit:UInt32}
