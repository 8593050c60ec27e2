/*
title: Load by hour of the day
question: At which hours of the day is each file system busy, and when would maintenance or a large copy disturb least?
parameters:
  zone: {type: String, default: UTC, meaning: "IANA time zone of the hours, such as Europe/Berlin"}
example: |
  cluster,filesystem,hour,days,mib_per_second_read,mib_per_second_written,util_mean,util_max
  c,scratch,2,1,10,0,0.01,0.025
  c,scratch,3,1,0,0,0,0
  c,scratch,4,1,100,0,0.1,0.25
  c,scratch,5,1,200,0,0.2,0.5
*/
SELECT
    cluster,
    filesystem,
    toHour(hour_start, {zone:String}) AS hour,
    uniqExact(toDate(hour_start, {zone:String})) AS days,
    round(sum(bytes_read) / nullIf(sum(sampled_seconds), 0) / pow(1024, 2), 1) AS mib_per_second_read,
    round(sum(bytes_written) / nullIf(sum(sampled_seconds), 0) / pow(1024, 2), 1) AS mib_per_second_written,
    round(sum(util_mean * sampled_seconds) / nullIf(sum(sampled_seconds), 0), 3) AS util_mean,
    max(util_max) AS util_max
FROM filesystem_load_hourly
WHERE hour_start >= {since:DateTime64(6, 'UTC')} AND hour_start < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster)
GROUP BY cluster, filesystem, hour
ORDER BY cluster, filesystem, hour
