{% set servers = filter_values('server') %}
-- What devices did, of the servers that are filtered for, else of the twenty busiest ones: a large center has tens of thousands of
-- devices. Whole days of a range are added up.
SELECT
    time,
    cluster,
    server,
    toString(device_id) AS device_id,
    hours,
    busy_hours,
    sampled_seconds,
    busy_seconds,
    requests,
    wait_seconds
FROM device_totals(since = '{{ since }}', until = '{{ until }}')
{% if servers %}
WHERE {{ of_center }} AND server IN {{ servers | where_in }}
{% else %}
WHERE {{ of_center }} AND (cluster, server) IN
(
    SELECT cluster, server
    FROM server_load_hourly
    WHERE hour_start >= '{{ since }}' AND hour_start < '{{ until }}' AND {{ of_center }}
    GROUP BY cluster, server
    ORDER BY sum(util_mean * sampled_seconds) / sum(sampled_seconds) DESC, cluster, server
    LIMIT 20
)
{% endif %}
