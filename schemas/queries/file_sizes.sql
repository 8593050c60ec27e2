/*
title: Sizes of files
question: How large are the files that runs use, and how many of them are small?
note: A run counts with the mean size of its files, which is known up to its last byte read or written; the last line
  has no edge.
source: Carns et al. 2011, who count the files of the file system by their size
*/
SELECT
    cluster,
    arrayFirstOrNull(
        edge -> mean_data_file_bytes <= edge,
        arrayMap(power -> exp2(power), [12, 16, 20, 24, 28, 30, 34, 40])
    ) AS up_to_bytes,
    count() AS runs,
    toUInt64(sum(data_files)) AS files,
    round(files / sum(sum(data_files)) OVER (PARTITION BY cluster), 3) AS share_of_files,
    round(sum(mean_data_file_bytes * data_files) / pow(1024, 4), 3) AS tib
FROM runs
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster) AND data_files > 0
GROUP BY cluster, up_to_bytes
ORDER BY cluster, up_to_bytes ASC NULLS LAST
