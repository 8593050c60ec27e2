/*
title: Devices that were busy for hours
question: Which devices were busy nearly all of the time, in how many hours, and how long did requests wait?
parameters:
  util: {type: Float64, default: 0.8, meaning: the share of an hour from which on a device counts as busy}
  limit: {type: UInt32, default: 20, meaning: how many devices}
*/
WITH busy AS
(
    SELECT cluster, server, device_id, count() AS hours
    FROM device_load_hourly
    WHERE hour_start >= {since:DateTime64(6, 'UTC')} AND hour_start < {until:DateTime64(6, 'UTC')}
        AND {cluster:String} IN ('', cluster) AND util >= {util:Float64}
    GROUP BY cluster, server, device_id
    ORDER BY hours DESC, cluster, server, device_id
    LIMIT {limit:UInt32}
)
SELECT
    cluster,
    server,
    device_id,
    count() AS hours_sampled,
    countIf(util >= {util:Float64}) AS hours_busy,
    round(hours_busy / hours_sampled, 3) AS busy_share,
    round(sum(util * sampled_seconds) / nullIf(sum(sampled_seconds), 0), 3) AS util_mean,
    round(1000 * sum(read_wait_seconds + write_wait_seconds) / nullIf(sum(reads + writes), 0), 2) AS wait_ms
FROM device_load_hourly
WHERE hour_start >= {since:DateTime64(6, 'UTC')} AND hour_start < {until:DateTime64(6, 'UTC')}
    AND {cluster:String} IN ('', cluster) AND (cluster, server, device_id) IN (SELECT cluster, server, device_id FROM busy)
GROUP BY cluster, server, device_id
ORDER BY hours_busy DESC, cluster, server, device_id
