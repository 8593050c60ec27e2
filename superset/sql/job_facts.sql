{#- A sum over runs is as far from the truth as its terms; one that is not known adds nothing. #}
{%- macro bound(feature) -%}
{%- set terms = "arrayMap(classes -> classes['" ~ feature ~ "'], classes_of_runs)" -%}
multiIf(
    hasAll([''], {{ terms }}), '',
    hasAll(['', 'lower_bound', 'unknowable'], {{ terms }}), 'at least ',
    hasAll(['', 'upper_bound'], {{ terms }}), 'at most ',
    'about '
)
{%- endmacro -%}
-- What is known of one job, a fact a row.
WITH (SELECT groupArray(evidence_classes) FROM runs WHERE {{ runs_of_job }}) AS classes_of_runs
SELECT
    user,
    account,
    cluster,
    position,
    known.1 AS fact,
    known.2 AS value,
    job_uid,
    transform(fact, ['Job', 'Report'], ['rows', '{{ 'report' if reports_can_be_made() else '' }}'], '') AS page,
    transform(page, ['rows', 'report'], ['all columns', 'open'], '') AS page_title
FROM
(
    SELECT
        ifNull(results.user, '(unknown)') AS user,
        ifNull(results.account, '(unknown)') AS account,
        results.cluster AS cluster,
        results.job_uid AS job_uid,
        [
            ('Job', toString(results.job_id)),
            ('Name', results.job_name),
            ('Verdict', {{ verdict_in_words }}),
            ('Because', verdict_reason),
            ('Certainty', multiIf(
                logs_analysed = 0, '',
                {{ bound('io_time_seconds') }} = '', 'exact: its logs show the whole I/O time',
                io_time_seconds IS NULL, 'none: its logs do not show the I/O time',
                'bounded: its logs give limits or estimates of the I/O time'
            )),
            ('Report', if(logs_analysed > 0, {{ "'what the logs alone show'" if reports_can_be_made() else "''" }}, '')),
            ('Node-hours', toString(round(node_hours, 4))),
            ('Node-hours lost', concat({{ bound('io_time_seconds') }}, toString(round(node_hours_lost, 4)))),
            ('User', results.user),
            ('Project', results.account),
            ('Center', cluster),
            ('Partition', partition),
            ('State', state),
            ('Submitted', formatDateTime(submit_time, '%F %T', 'UTC')),
            ('Start', formatDateTime(start_time, '%F %T', 'UTC')),
            ('End', formatDateTime(end_time, '%F %T', 'UTC')),
            ('Nodes', toString(nodes)),
            ('Logs', concat(toString(logs_analysed), ' of ', ifNull(toString(logs_expected), 'an unknown number'), if(settled = 1, '', ', more are awaited'))),
            ('Coverage', {{ coverage_in_words() }}),
            ('Coverage is so because', coverage_reason),
            ('Read', concat({{ bound('bytes_read') }}, formatReadableSize(bytes_read))),
            ('Written', concat({{ bound('bytes_written') }}, formatReadableSize(bytes_written))),
            ('I/O time of its runs', concat({{ bound('io_time_seconds') }}, toString(round(io_time_seconds, 2)), ' s')),
            ('Programs', arrayStringConcat(executables, ', ')),
            ('File systems', arrayStringConcat(filesystems, ', ')),
            ('Traits', replaceAll(arrayStringConcat(traits, ', '), '_', ' '))
        ] AS facts
    FROM job_results AS results
    WHERE {{ of_job }}
)
ARRAY JOIN facts AS known, arrayEnumerate(facts) AS position
WHERE value != ''
