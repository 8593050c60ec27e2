/*
title: Programs whose runs differ in rate
question: Which programs are fast at one time and slow at another, with the same number of processes and about as many
  bytes?
note: Bytes of one decade count as alike. Runs below 16 MiB have no rate worth comparing,
  nor have those whose log lacks something; those of unknown users may be of several.
days: 14
parameters:
  runs: {type: UInt32, default: 5, meaning: how many runs a program has at least}
  limit: {type: UInt32, default: 20, meaning: how many programs}
example: |
  cluster,user,program,filesystem,direction,nprocs,mib_from,runs,slowest,median_mib_per_second,fastest,times_faster
  c,ann,bench,scratch,write,64,1000,2,10,30,50,5
*/
SELECT
    cluster,
    user,
    program,
    filesystem,
    direction,
    nprocs,
    toUInt64(roundDown(assumeNotNull(application_bytes) / pow(1024, 2), arrayMap(digits -> exp10(digits), range(1, 12)))) AS mib_from,
    count() AS runs,
    round(min(mib_per_second), 1) AS slowest,
    round(median(mib_per_second), 1) AS median_mib_per_second,
    round(max(mib_per_second), 1) AS fastest,
    round(max(mib_per_second) / min(mib_per_second), 1) AS times_faster
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster) AND application_bytes >= 16 * pow(1024, 2) AND mib_per_second > 0
    AND log_state = 'complete' AND user IS NOT NULL
GROUP BY cluster, user, program, filesystem, direction, nprocs, mib_from
HAVING runs >= {runs:UInt32}
ORDER BY max(mib_per_second) / min(mib_per_second) DESC, cluster, user, program, filesystem, direction, nprocs, mib_from
LIMIT {limit:UInt32}
