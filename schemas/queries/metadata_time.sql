/*
title: Programs that spend their I/O in metadata
question: Which programs spend most time opening, closing and asking about files instead of moving bytes?
note: Hours are summed over processes. Opens per file above 1 are repeated opens, or one each of several processes. They are
  the least that they can be, as opens are counted on the file systems that the site names, and files on all.
parameters:
  limit: {type: UInt32, default: 20, meaning: how many programs}
example: |
  cluster,program,user,runs,metadata_process_hours,metadata_share,times_opened,times_asked,opens_per_file
  c,sim,bob,1,0.12,0.9,80,0,2
  c,app,ann,2,0.03,0.108,16,4,2
*/
SELECT
    cluster,
    program,
    nullIf(user, '(unknown)') AS user,
    sum(runs) AS runs,
    round(sum(metadata_seconds) / 3600, 2) AS metadata_process_hours,
    round(
        sum(metadata_seconds) / nullIf(sum(metadata_seconds) + sum(read_seconds) + sum(write_seconds), 0),
        3
    ) AS metadata_share,
    sum(opens) AS times_opened,
    sum(stats) AS times_asked,
    round(sum(counted_opens) / nullIf(sum(counted_files), 0), 1) AS opens_per_file
FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, program, user
HAVING sum(metadata_seconds) > 0
ORDER BY sum(metadata_seconds) DESC, cluster, program, user
LIMIT {limit:UInt32}
