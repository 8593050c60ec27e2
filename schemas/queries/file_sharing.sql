/*
title: How files are shared by ranks
question: How many files, and how many of their bytes, belong to one rank, to some ranks, to all of them?
source: Carns et al. 2011, who found partially shared files beside those of one rank and of all
*/
SELECT
    cluster,
    sharing.1 AS opened_by,
    sum(sharing.2) AS files,
    round(sum(sharing.3) / pow(1024, 3), 3) AS gib,
    countIf(sharing.2 > 0) AS runs
FROM runs
ARRAY JOIN [
    ('one rank', unique_files, unique_file_bytes),
    ('some ranks', partial_files, partial_file_bytes),
    ('all ranks', shared_files, shared_file_bytes)
] AS sharing
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster) AND nprocs > 1
GROUP BY cluster, opened_by
ORDER BY cluster, gib DESC, opened_by
