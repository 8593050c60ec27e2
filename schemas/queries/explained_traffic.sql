/*
title: How much of the storage's traffic the logs explain
question: Which part of the bytes that servers counted do the runs with logs account for?
note: A run counts with all its bytes where most of them went and when it started. Caches, mirrors and other clients
  make servers count more or fewer, so the share can exceed 1. Servers count by whole hours, which are
  those of the runs. Runs of an hour that has no samples count too, so that gaps in the samples raise the share.
example: |
  cluster,filesystem,tib_by_servers,tib_by_runs,explained
  c,scratch,1.064,5,4.698
*/
WITH
    -- an hour that begins in the range counts whole
    toDateTime64(toStartOfHour({since:DateTime64(6, 'UTC')} + INTERVAL 1 HOUR - INTERVAL 1 MICROSECOND), 6, 'UTC') AS first_hour,
    toDateTime64(toStartOfHour({until:DateTime64(6, 'UTC')} + INTERVAL 1 HOUR - INTERVAL 1 MICROSECOND), 6, 'UTC') AS end_hour
SELECT
    cluster,
    filesystem,
    round(sum(by_servers) / pow(1024, 4), 3) AS tib_by_servers,
    round(sum(by_runs) / pow(1024, 4), 3) AS tib_by_runs,
    round(sum(by_runs) / nullIf(sum(by_servers), 0), 3) AS explained
FROM
(
    SELECT cluster, filesystem, bytes_read + bytes_written AS by_servers, 0 AS by_runs
    FROM filesystem_load_hourly
    WHERE hour_start >= {since:DateTime64(6, 'UTC')} AND hour_start < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster)
    UNION ALL
    SELECT cluster, filesystem, 0, site_bytes
    FROM run_io_months(since = first_hour, until = end_hour)
    WHERE {cluster:String} IN ('', cluster) AND filesystem != '(none)'
)
GROUP BY cluster, filesystem
ORDER BY cluster, filesystem
