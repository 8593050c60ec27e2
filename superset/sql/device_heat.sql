{% set servers = filter_values('server') %}
-- How busy the devices of the servers that are filtered for were (of the busiest five of them), else those of the busiest server of each center: all
-- devices are too many to read and to draw. Forty rows fit for each server: the busiest devices, and the mean of the others.
WITH
    40 AS places,
    {{ interval_of_load('server_load', 40) }}.1 AS width,
    servers AS
    (
        SELECT cluster, server, util_mean * bucket_seconds AS busy, bucket_seconds AS seconds
        FROM server_load
        WHERE width < 3600 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
        UNION ALL
        SELECT cluster, server, util_mean * sampled_seconds, sampled_seconds
        FROM server_load_hourly
        WHERE width >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
    ),
    -- one value, so that the devices' table is read by its index of servers
    (
        SELECT groupUniqArray((toString(cluster), toString(server)))
        FROM
        (
            SELECT cluster, server
            FROM servers
{% if servers %}
            WHERE server IN {{ servers | where_in }}
{% endif %}
            GROUP BY cluster, server
            ORDER BY sum(busy) / sum(seconds) DESC, server
{% if servers %}
            -- a browser draws ten thousand cells well; these have 41 rows of 41 intervals each
            LIMIT 5
{% else %}
            LIMIT 1 BY cluster
{% endif %}
        )
    ) AS chosen,
    load AS
    (
        SELECT cluster, server, device_id, bucket_start AS start, bucket_seconds AS seconds, util * seconds AS busy
        FROM device_load
        WHERE width < 3600 AND has(chosen.2, server) AND has(chosen, (toString(cluster), toString(server))) AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}
        UNION ALL
        SELECT cluster, server, device_id, hour_start, sampled_seconds AS seconds, util * seconds
        FROM device_load_hourly
        WHERE width >= 3600 AND has(chosen.2, server) AND has(chosen, (toString(cluster), toString(server))) AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
    ),
    cells AS
    (
        SELECT
            cluster,
            server,
            device_id,
            toStartOfInterval(start, toIntervalSecond(width)) AS time,
            sum(busy) AS busy,
            sum(seconds) AS seconds
        FROM load
        GROUP BY cluster, server, device_id, time
    ),
    ranked AS
    (
        SELECT
            cluster,
            server,
            device_id,
            groupArray((time, busy, seconds)) AS own,
            row_number() OVER (PARTITION BY cluster, server ORDER BY sum(busy) / sum(seconds) DESC, device_id) AS rank,
            count() OVER (PARTITION BY cluster, server) AS known,
            {{ center_if_several }} AS center
        FROM cells
        GROUP BY cluster, server, device_id
    ),
    shown AS
    (
        SELECT
            cluster,
            server,
            concat(center, if(rank <= places OR known = places + 1, device_id, concat(server, ': mean of ', toString(known - places), ' others'))) AS device,
            arrayJoin(own) AS cell
        FROM ranked
    )
SELECT
    cell.1 AS time,
    -- labels that sort by time
    formatDateTime(time, multiIf(width < 60, '%Y-%m-%d %H:%i:%S', width < 86400, '%Y-%m-%d %H:%i', '%Y-%m-%d')) AS clock,
    cluster,
    server,
    device,
    sum(cell.2) AS busy_seconds,
    sum(cell.3) AS sampled_seconds
FROM shown
GROUP BY time, cluster, server, device
