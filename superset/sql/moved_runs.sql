{% set servers = filter_values('server', remove_filter=True) %}
{% set devices = filter_values('device_id', remove_filter=True) %}
{% set targets = filter_values('target', remove_filter=True) %}
{#- What a bar of the page stands for, by the column of its dataset, and which runs it counts (as in run_measures and contended_runs). #}
{%- set bars = {
    'interface': {
        'POSIX': "has(modules, 'POSIX')",
        'MPI-IO': "has(modules, 'MPI-IO')",
        'STDIO': "has(modules, 'STDIO')",
        'HDF5': "hasAny(modules, ['H5F', 'H5D'])",
        'PnetCDF': "hasAny(modules, ['PNETCDF_FILE', 'PNETCDF_VAR'])",
        'DAOS': "hasAny(modules, ['DFS', 'DAOS'])",
    },
    'opened_by': {
        'one process': 'nprocs > 1 AND unique_files > 0',
        'some processes': 'nprocs > 1 AND unique_files IS NOT NULL AND partial_files > 0',
        'all processes': 'nprocs > 1 AND unique_files IS NOT NULL AND shared_files > 0',
    },
    'met': {
        'slow target': "has(findings, 'slow_target')",
        'busy with others': "has(findings, 'device_contention')",
        'overloaded by the run': "has(findings, 'target_overload')",
    },
} %}
{%- set files_from = filter_values('file_bytes_from', remove_filter=True) | map('float', -1) | list %}
{%- set requests_from = filter_values('bytes_from', remove_filter=True) | map('float', -1) | list %}
-- Runs that began in the range, with what they moved; of servers and devices that are filtered for those with files on them, of targets
-- those that met them (named as in target_measures and contended_runs), of a clicked bar those that it counts.
{% if servers %}
WITH
    (
        SELECT groupUniqArray((toString(cluster), toString(device_id)))
        FROM device_load_hourly
        WHERE hour_start > toDateTime64('{{ since }}', 6, 'UTC') - INTERVAL 1 HOUR AND hour_start < '{{ until }}' AND server IN {{ servers | where_in }}
    ) AS server_devices
{% endif %}
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
    {% for name in (bars | list) + ['file_bytes_from', 'bytes_from'] %}
    '(any)' AS {{ name }},
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
    -- by name alone first, as most runs have none of them
    AND arrayExists(device -> device IN server_devices.2, load_devices)
    AND arrayExists(device -> (toString(cluster), toString(device)) IN server_devices, load_devices)
{% endif %}
{% if devices %}
    AND arrayExists(device -> device IN {{ devices | where_in }}, load_devices)
{% endif %}
{% if targets %}
    AND hasAny(
        arrayMap(
            rule -> multiIf(
                rule = 'slow_target', concat(ifNull(runs.filesystem, '(none)'), ' OST ', toString(toInt64(ifNull(slowest_target, -1)))),
                rule = 'device_contention', ifNull(load_busiest_device, '(unknown)'),
                '(several)'
            ),
            arrayIntersect(findings, ['slow_target', 'device_contention', 'target_overload'])
        ),
        array{{ targets | where_in }}
    )
{% endif %}
{% for column, conditions in bars.items() %}
{% set chosen = filter_values(column, remove_filter=True) %}
{% if chosen %}
    AND ({% for name, condition in conditions.items() if name in chosen %}ifNull({{ condition }}, 0) OR {% endfor %}0)
{% endif %}
{% endfor %}
{% if files_from %}
    AND data_files > 0 AND has({{ files_from }}, roundDown(mean_data_file_bytes, {{ file_bins }}))
{% endif %}
{% if requests_from %}
    AND ({% for from, bin in request_bins.items() if from in requests_from %}ifNull(posix_size_read_{{ bin }} > 0 OR posix_size_write_{{ bin }} > 0, 0) OR {% endfor %}0)
{% endif %}
