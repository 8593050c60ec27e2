-- What is known of one run, a fact a row.
SELECT
    user,
    account,
    cluster,
    position,
    known.1 AS fact,
    known.2 AS value,
    log_id,
    transform(fact, ['Log', 'Report'], ['rows', '{{ 'report' if reports_can_be_made() else '' }}'], '') AS page,
    transform(page, ['rows', 'report'], ['all columns', 'open'], '') AS page_title
FROM
(
    SELECT
        ifNull(runs.user, '(unknown)') AS user,
        ifNull(runs.account, '(unknown)') AS account,
        cluster,
        log_id,
        [
            ('Program', program),
            ('Verdict', replaceAll(verdict, '_', ' ')),
            ('Because', verdict_reason),
            ('Report', {{ "'what the log alone shows'" if reports_can_be_made() else "concat('weir analyze ', file_name, ' --html report.html')" }}),
            ('Time lost', formatReadableTimeDelta(time_lost_seconds)),
            ('Node-hours lost', toString(round(node_hours_lost, 4))),
            ('Reference', if(reference_source = 'none', 'none', concat(toString(round(reference_mib_per_second_per_node, 1)), ' MiB/s per node, of ', replaceAll(reference_source, '_', ' ')))),
            ('Load', concat(replaceAll(load_state, '_', ' '), ifNull(concat(', devices busy ', toString(round(100 * load_util_mean)), ' % of the time'), ''))),
            ('User', runs.user),
            ('Project', runs.account),
            ('Center', cluster),
            ('Start', formatDateTime(start_time, '%F %T', 'UTC')),
            ('Run time', ifNull(formatReadableTimeDelta(run_time_seconds), 'unknown: the run did not come to its end')),
            ('Processes', toString(nprocs)),
            ('Nodes', toString(run_nodes)),
            ('File system', filesystem),
            ('Read', formatReadableSize(bytes_read)),
            ('Written', formatReadableSize(bytes_written)),
            ('Files', toString(files)),
            ('I/O time', concat(toString(round(io_time_seconds, 2)), ' s', ifNull(concat(', ', toString(round(100 * least(1, io_share))), ' % of the run time'), ''))),
            ('Rate', concat(toString(round(mib_per_second, 1)), ' MiB/s')),
            ('Interfaces', arrayStringConcat(modules, ', ')),
            ('Log', concat(file_name, if(log_state = 'complete', '', concat(' (', log_state, ')')))),
            ('Join with its job', if(job_join = 'joined', NULL, concat(replaceAll(job_join, '_', ' '), ': ', job_join_reason)))
        ] AS facts
    FROM runs
    WHERE {{ of_run }}
)
ARRAY JOIN facts AS known, arrayEnumerate(facts) AS position
WHERE value != ''
