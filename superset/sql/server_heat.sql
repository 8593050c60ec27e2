{% set servers = filter_values('server', remove_filter=True) %}
-- How busy the storage servers were: forty rows fit for each center, the busiest servers and the mean of the others.
WITH
    40 AS places,
    {{ interval_of_load('server_load', 40) }}.1 AS width,
    load AS
    (
        SELECT cluster, server, bucket_start AS start, bucket_seconds AS seconds, util_mean * seconds AS busy
        FROM server_load
        WHERE width < 3600 AND bucket_start >= '{{ since }}' AND bucket_start < '{{ until }}' AND {{ of_center }}{% if servers %} AND server IN {{ servers | where_in }}{% endif %}
        UNION ALL
        SELECT cluster, server, hour_start, sampled_seconds AS seconds, util_mean * seconds
        FROM server_load_hourly
        WHERE width >= 3600 AND hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}{% if servers %} AND server IN {{ servers | where_in }}{% endif %}
    ),
    cells AS
    (
        SELECT cluster, server, toStartOfInterval(start, toIntervalSecond(width)) AS time, sum(busy) AS busy, sum(seconds) AS seconds
        FROM load
        GROUP BY cluster, server, time
    ),
    ranked AS
    (
        SELECT
            cluster,
            server,
            groupArray((time, busy, seconds)) AS own,
            row_number() OVER (PARTITION BY cluster ORDER BY sum(busy) / sum(seconds) DESC, server) AS rank,
            count() OVER (PARTITION BY cluster) AS known,
            {{ center_if_several }} AS center
        FROM cells
        GROUP BY cluster, server
    ),
    shown AS
    (
        SELECT
            cluster,
            concat(center, if(rank <= places OR known = places + 1, server, concat('mean of ', toString(known - places), ' others'))) AS server_or_others,
            arrayJoin(own) AS cell
        FROM ranked
    )
SELECT
    cell.1 AS time,
    -- labels that sort by time
    formatDateTime(time, multiIf(width < 60, '%Y-%m-%d %H:%i:%S', width < 86400, '%Y-%m-%d %H:%i', '%Y-%m-%d')) AS clock,
    cluster,
    server_or_others AS server,
    sum(cell.2) AS busy_seconds,
    sum(cell.3) AS sampled_seconds
FROM shown
GROUP BY time, cluster, server
