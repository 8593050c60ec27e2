/*
title: How files are shared by ranks
question: How many files, and how many of their bytes, belong to one rank, to some ranks, to all of them?
source: Carns et al. 2011, who found partially shared files beside those of one rank and of all
*/
SELECT
    cluster,
    sharing.1 AS opened_by,
    sharing.2 AS files,
    round(sharing.3 / pow(1024, 3), 3) AS gib,
    sharing.4 AS runs
FROM
(
    SELECT
        cluster,
        [
            ('one rank', sum(unique_files), sum(unique_file_bytes), countIf(unique_files > 0)),
            ('some ranks', sum(partial_files), sum(partial_file_bytes), countIf(partial_files > 0)),
            ('all ranks', sum(shared_files), sum(shared_file_bytes), countIf(shared_files > 0))
        ] AS sharings
    FROM runs
    WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster) AND nprocs > 1
    GROUP BY cluster
)
ARRAY JOIN sharings AS sharing
ORDER BY cluster, gib DESC, opened_by
