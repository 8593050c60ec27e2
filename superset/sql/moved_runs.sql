{% set servers = filter_values('server', remove_filter=True) %}
{% set devices = filter_values('device_id', remove_filter=True) %}
{% set targets = filter_values('target', remove_filter=True) %}
-- Runs that began in the range, with what they moved; of servers and devices that are filtered for those with files on them, of targets
-- those that met them (named as in target_measures and contended_runs).
SELECT
    start_time AS time,
    cluster,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    program,
    ifNull(filesystem, '(none)') AS filesystem,
    {% for name, chosen in (('server', servers), ('device_id', devices), ('target', targets)) %}
    {{ 'arrayStringConcat(array' ~ (chosen | where_in) ~ ", ', ')" if chosen else "'(any)'" }} AS {{ name }},
    {% endfor %}
    toString(job_id) AS job,
    job_uid,
    log_id,
    substring(log_id, 1, 8) AS log,
    nprocs,
    bytes_read,
    bytes_written,
    ifNull(bytes_read, 0) + ifNull(bytes_written, 0) AS bytes_moved,
    io_time_seconds,
    replaceAll(verdict, '_', ' ') AS verdict
FROM runs
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center_in('runs_versions') }}
{% if servers %}
    AND hasAny(
        arrayMap(device -> (toString(cluster), toString(device)), load_devices),
        (
            SELECT groupUniqArray((toString(cluster), toString(device_id)))
            FROM device_load_hourly
            WHERE hour_start > toDateTime64('{{ since }}', 6, 'UTC') - INTERVAL 1 HOUR AND hour_start < '{{ until }}' AND server IN {{ servers | where_in }}
        )
    )
{% endif %}
{% if devices %}
    AND hasAny(arrayMap(device -> toString(device), load_devices), array{{ devices | where_in }})
{% endif %}
{% if targets %}
    AND hasAny(
        arrayMap(
            rule -> multiIf(
                rule = 'slow_target', concat(ifNull(filesystem, '(none)'), ' OST ', toString(toInt64(ifNull(slowest_target, -1)))),
                rule = 'device_contention', ifNull(load_busiest_device, '(unknown)'),
                '(several)'
            ),
            arrayIntersect(findings, ['slow_target', 'device_contention', 'target_overload'])
        ),
        array{{ targets | where_in }}
    )
{% endif %}
