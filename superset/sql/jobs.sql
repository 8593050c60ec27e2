{% set filesystems = filter_values('filesystem', remove_filter=True) %}
{% set executables = filter_values('exe', remove_filter=True) %}
-- Jobs as analyzed; file systems and executables are those of a job's runs, any of which may match a filter.
SELECT
    coalesce(results.start_time, results.submit_time) AS time,
    results.submit_time AS submitted,
    ifNull(results.user, '(unknown)') AS user,
    results.cluster AS cluster,
    ifNull(results.account, '(unknown)') AS account,
    toString(results.job_id) AS job,
    results.job_uid AS job_uid,
    arrayStringConcat(results.executables, ', ') AS exe,
    if(empty(results.filesystems), '(none)', arrayStringConcat(results.filesystems, ', ')) AS filesystem,
    results.job_name AS job_name,
    results.partition AS partition,
    results.state AS state,
    {{ coverage_in_words('results.') }} AS coverage,
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
WHERE time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center_in('job_results_versions') }}
    -- what the table's key and its index of starts know
    AND results.submit_time < '{{ until }}' AND (results.start_time >= '{{ since }}' OR results.start_time IS NULL)
{% if filesystems %}  AND arrayExists(name -> name IN {{ filesystems | where_in }}, if(empty(results.filesystems), ['(none)'], results.filesystems)){% endif %}
{% if executables %}  AND arrayExists(name -> name IN {{ executables | where_in }}, results.executables){% endif %}
