{% set servers = filter_values('server', remove_filter=True) %}
-- How busy storage was, by device where there are few, else by server, and by device again for the servers that are
-- filtered for. Twenty rows fit: the busiest, and the mean of the others.
WITH
    20 AS places,
    {{ interval_of_load('server_load', 40) }} AS axis,
{% if servers %}
    1 AS by_device,
{% else %}
    -- many servers have many devices: then these are not counted
    (
        SELECT uniqExact(device_id) BETWEEN 1 AND 20
        FROM device_load
        WHERE bucket_start > (SELECT max(bucket_start) - INTERVAL 1 MINUTE FROM device_load_versions)
            AND (SELECT uniqExact(server) <= 20 FROM server_load_hourly WHERE hour_start > (SELECT max(hour_start) - INTERVAL 1 HOUR FROM server_load_hourly_versions))
    ) AS by_device,
{% endif %}
    load AS
    (
        SELECT cluster, bucket_start AS start, bucket_seconds AS seconds, device_id AS place, util * seconds AS busy
        FROM device_load
        WHERE by_device AND axis.1 < 3600 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}{% if servers %} AND server IN {{ servers | where_in }}{% endif %}
        UNION ALL
        SELECT cluster, hour_start, sampled_seconds AS seconds, device_id, util * seconds
        FROM device_load_hourly
        WHERE by_device AND axis.1 >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}{% if servers %} AND server IN {{ servers | where_in }}{% endif %}
        UNION ALL
        SELECT cluster, bucket_start, bucket_seconds AS seconds, server, util_mean * seconds
        FROM server_load
        WHERE NOT by_device AND axis.1 < 3600 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
        UNION ALL
        SELECT cluster, hour_start, sampled_seconds AS seconds, server, util_mean * seconds
        FROM server_load_hourly
        WHERE NOT by_device AND axis.1 >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
    ),
    cells AS
    (
        SELECT cluster, place, toStartOfInterval(start, toIntervalSecond(axis.1)) AS time, sum(busy) AS busy, sum(seconds) AS seconds
        FROM load
        GROUP BY cluster, place, time
    ),
    ranked AS
    (
        SELECT
            concat({{ center_if_several }}, place) AS device,
            groupArray((time, busy, seconds)) AS own,
            row_number() OVER (ORDER BY sum(busy) / sum(seconds) DESC, cluster, place) AS rank,
            count() OVER () AS known
        FROM cells
        GROUP BY cluster, place
    )
SELECT
    cell.1 AS time,
    {{ center }} AS cluster,
    -- labels that sort by time
    formatDateTime(
        time,
        multiIf(
            toDate(axis.2) = toDate(axis.3), '%H:%i:%S',
            axis.1 >= 86400, '%Y-%m-%d',
            concat(if(toYear(axis.2) = toYear(axis.3), '%m-%d %H:%i', '%Y-%m-%d %H:%i'), if(axis.1 < 60, ':%S', ''))
        )
    ) AS clock,
    if(rank <= places OR known = places + 1, ranked.device, concat('mean of ', toString(known - places), ' others')) AS device,
    sum(cell.2) / sum(cell.3) AS util
FROM ranked
ARRAY JOIN own AS cell
GROUP BY time, device
