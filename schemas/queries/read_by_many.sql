/*
title: Files that many runs read
question: Which files are written once at most and read by many runs, how often over, and would another layout or a
  copy nearer by pay?
days: 1
note: Runs that read with all their processes want one contiguous file on many targets, or one reader that broadcasts.
  Those of one process count
  among them. No writing run means that it was written before the range, or without a log. Records are kept for a year. Reads all file records of the range,
  twice.
parameters:
  readers: {type: UInt32, default: 5, meaning: "how many runs read a file at least, two or more"}
  limit: {type: UInt32, default: 50, meaning: how many files}
example: |
  cluster,file,writing_runs,reading_runs,with_all_processes,gib_size,gib_read,times_over
  c,/s/ann/out,1,2,1,5,15,3
*/
SELECT
    cluster,
    any(name) AS file,
    uniqExactIf(sipHash64(log_id), bytes_written > 0) AS writing_runs,
    uniqExactIf(sipHash64(log_id), bytes_read > 0) AS reading_runs,
    uniqExactIf(sipHash64(log_id), bytes_read > 0 AND rank = -1) AS with_all_processes,
    round(max(extent_bytes) / pow(1024, 3), 3) AS gib_size,
    round(sum(bytes_read) / pow(1024, 3), 3) AS gib_read,
    round(sum(bytes_read) / nullIf(max(extent_bytes), 0), 1) AS times_over
FROM file_records
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
    -- Most files have fewer records than runs are asked for. To leave them out first takes a third of the time.
    AND record_id IN
    (
        SELECT record_id
        FROM file_records
        WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
            AND {cluster:String} IN ('', cluster) AND bytes_read > 0
        GROUP BY record_id
        HAVING count() >= {readers:UInt32}
    )
GROUP BY cluster, record_id
HAVING writing_runs <= 1 AND reading_runs >= {readers:UInt32}
ORDER BY sum(bytes_read) DESC, cluster, file
LIMIT {limit:UInt32}
