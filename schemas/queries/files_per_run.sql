/*
title: Files per run
question: How many files do runs open, and where do most of the files come from?
source: Carns et al. 2011, Table II, gives the files of each project
*/
SELECT
    cluster,
    if(files = 0, 0, toUInt64(exp10(length(toString(files)) - 1))) AS files_from,
    count() AS runs,
    round(runs / sum(count()) OVER (PARTITION BY cluster), 3) AS share_of_runs,
    sum(files) AS files_opened,
    round(files_opened / nullIf(sum(sum(files)) OVER (PARTITION BY cluster), 0), 3) AS share_of_files,
    uniqExact(user) AS users
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster) AND files IS NOT NULL
GROUP BY cluster, files_from
ORDER BY cluster, files_from
