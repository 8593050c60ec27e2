{%- macro bound(feature) -%}
transform(evidence_classes['{{ feature }}'], ['lower_bound', 'upper_bound', 'bounded'], ['at least ', 'at most ', 'about '], '')
{%- endmacro -%}
-- What is known of one run, a fact a row.
SELECT
    user,
    account,
    cluster,
    position,
    known.1 AS fact,
    known.2 AS value,
    log_id,
    if(fact = 'Job' AND job_uid = '', '', transform(fact, ['Log', 'Report', 'Job'], ['rows', '{{ 'report' if reports_can_be_made() else '' }}', 'job'], '')) AS page,
    transform(page, ['rows', 'report', 'job'], ['all columns', 'open', 'the job'], '') AS page_title,
    if(page = 'job', 'job', 'run') AS kind,
    if(page = 'job', job_uid, log_id) AS id
FROM
(
    SELECT
        ifNull(runs.user, '(unknown)') AS user,
        ifNull(runs.account, '(unknown)') AS account,
        cluster,
        log_id,
        ifNull(job_uid, '') AS job_uid,
        [
            ('Program', program),
            ('Job', toString(job_id)),
            ('Verdict', {{ verdict_in_words }}),
            ('Because', verdict_reason),
            ('Certainty', transform(
                evidence_classes['io_time_seconds'],
                ['', 'unknowable'],
                ['exact: the log shows the whole I/O time', 'none: the log does not show the I/O time'],
                'bounded: the log gives limits or estimates of the I/O time'
            )),
            ('Report', {{ "'what the log alone shows'" if reports_can_be_made() else "concat('weir analyze ', file_name, ' --html report.html')" }}),
            ('Time lost', concat({{ bound('io_time_seconds') }}, formatReadableTimeDelta(time_lost_seconds))),
            ('Node-hours lost', concat({{ bound('io_time_seconds') }}, toString(round(node_hours_lost, 4)))),
            ('Reference', if(reference_source = 'none', 'none', concat(toString(round(reference_mib_per_second_per_node, 1)), ' MiB/s per node, ', transform(reference_source, ['history', 'site_peak'], ['which one in four comparable runs reached', 'the peak that the site states'], reference_source)))),
            ('Load', concat(transform(load_state, ['closed', 'incomplete'], ['complete', 'samples are missing'], replaceAll(load_state, '_', ' ')), ifNull(concat(', devices busy ', toString(round(100 * load_util_mean)), ' % of the time in which it moved data'), ''))),
            ('User', runs.user),
            ('Project', runs.account),
            ('Center', cluster),
            ('Start', formatDateTime(start_time, '%F %T', 'UTC')),
            ('Run time', ifNull(formatReadableTimeDelta(run_time_seconds), 'unknown: the run did not come to its end')),
            ('Processes', toString(nprocs)),
            ('Nodes', toString(run_nodes)),
            ('File system', filesystem),
            ('Read', concat({{ bound('bytes_read') }}, formatReadableSize(bytes_read))),
            ('Written', concat({{ bound('bytes_written') }}, formatReadableSize(bytes_written))),
            ('Files', concat({{ bound('files') }}, toString(files))),
            ('I/O time', concat({{ bound('io_time_seconds') }}, toString(round(io_time_seconds, 2)), ' s', ifNull(concat(', ', toString(round(100 * least(1, io_share))), ' % of the run time'), ''))),
            ('Rate', concat({{ bound('mib_per_second') }}, toString(round(mib_per_second, 1)), ' MiB/s')),
            ('Darshan modules', arrayStringConcat(modules, ', ')),
            ('Log', concat(file_name, if(log_state = 'complete', '', concat(' (', log_state, ')')))),
            ('Join with its job', if(job_join = 'joined', NULL, concat(replaceAll(job_join, '_', ' '), ': ', job_join_reason)))
        ] AS facts
    FROM runs
    WHERE {{ of_run }}
)
ARRAY JOIN facts AS known, arrayEnumerate(facts) AS position
WHERE value != ''
