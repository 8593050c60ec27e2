/*
title: Devices that were busy for hours
question: Which devices were busy nearly all of the time, in how many hours, and how long did requests wait?
note: Busy is an hour in which a device was for 80 % of the sampled time or more.
days: 14
parameters:
  limit: {type: UInt32, default: 20, meaning: how many devices}
example: |
  cluster,server,device_id,hours_sampled,hours_busy,busy_share,util_mean,wait_ms
  c,oss1,d1,2,1,0.5,0.767,15
*/
SELECT
    cluster,
    server,
    device_id,
    sum(hours) AS hours_sampled,
    sum(busy_hours) AS hours_busy,
    round(hours_busy / hours_sampled, 3) AS busy_share,
    round(sum(busy_seconds) / nullIf(sum(sampled_seconds), 0), 3) AS util_mean,
    round(1000 * sum(wait_seconds) / nullIf(sum(requests), 0), 2) AS wait_ms
FROM device_totals(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
WHERE {cluster:String} IN ('', cluster)
GROUP BY cluster, server, device_id
HAVING hours_busy > 0
ORDER BY hours_busy DESC, cluster, server, device_id
LIMIT {limit:UInt32}
