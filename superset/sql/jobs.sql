{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
{% set filesystems = filter_values('filesystem', remove_filter=True) %}
{% set executables = filter_values('exe', remove_filter=True) %}
-- Jobs as analysed; file systems and executables are those of a job's runs, any of which may match a filter.
WITH of_runs AS
(
    SELECT
        cluster,
        job_uid,
        arraySort(groupUniqArray(ifNull(filesystem, '(none)'))) AS filesystems,
        arraySort(groupUniqArray(exe)) AS executables
    FROM runs
    WHERE job_uid IS NOT NULL
    GROUP BY cluster, job_uid
)
SELECT
    coalesce(results.start_time, results.submit_time) AS time,
    ifNull(results.user, '(unknown)') AS user,
    ifNull(results.account, '(unknown)') AS account,
    toString(results.job_id) AS job,
    arrayStringConcat(of_runs.executables, ', ') AS exe,
    arrayStringConcat(of_runs.filesystems, ', ') AS filesystem,
    results.job_name AS job_name,
    results.partition AS partition,
    results.state AS state,
    results.nodes AS nodes,
    if(results.settled = 1, 'yes', 'no') AS settled,
    concat(toString(results.logs_analysed), ' of ', ifNull(toString(results.logs_expected), '?')) AS logs,
    results.bytes_read AS bytes_read,
    results.bytes_written AS bytes_written,
    results.io_time_seconds AS io_time_seconds,
    results.node_hours AS node_hours,
    results.node_hours_lost AS node_hours_lost,
    replaceAll(results.verdict, '_', ' ') AS verdict,
    results.verdict_reason AS verdict_reason,
    arrayStringConcat(results.findings, ', ') AS findings,
    replaceAll(arrayStringConcat(results.traits, ', '), '_', ' ') AS traits
FROM job_results AS results
LEFT JOIN of_runs USING (cluster, job_uid)
WHERE time >= '{{ since }}' AND time < '{{ until }}'
{% if filesystems %}  AND arrayExists(name -> name IN {{ filesystems | where_in }}, of_runs.filesystems){% endif %}
{% if executables %}  AND arrayExists(name -> name IN {{ executables | where_in }}, of_runs.executables){% endif %}
