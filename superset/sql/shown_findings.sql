-- What was found of the run, or of the job and its runs, that the page shows, in the words of reports.
WITH
    shown AS
    (
        SELECT cluster, log_id, start_time
        FROM runs
        WHERE {{ shown }}
    ),
    (SELECT mapFromArrays(groupArray(concat(kind, ' ', key)), groupArray(text)) FROM report_words) AS words
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    cluster,
    log_id,
    if(log_id = '', 'job', substring(log_id, 1, 8)) AS log,
    title,
    rule_id AS rule,
    severity,
    indexOf(['info', 'notice', 'warning', 'critical'], severity) AS weight,
    evidence_class,
    {{ numbers_of('findings.evidence') }} AS evidence,
    words[concat('finding ', rule_id)] AS meaning,
    -- the first line of an advice is a sentence, and what follows it commands, which take bytes as they are
    arrayStringConcat(
        arrayMap(
            key -> arrayStringConcat(
                arrayMap(
                    (line, place) -> replaceRegexpAll(
                        arrayFold(
                            (text, item) -> replaceAll(
                                text,
                                concat('<', item.1, '>'),
                                multiIf(
                                    place > 1, toString(round(item.2)),
                                    item.1 LIKE '%_bytes', formatReadableSize(item.2),
                                    item.1 = 'ratio', concat(toString(round(100 * item.2)), ' %'),
                                    toString(round(item.2, 3))
                                )
                            ),
                            arrayConcat(
                                JSONExtractKeysAndValues(advice_numbers, key, 'Float64'),
                                JSONExtractKeysAndValues(findings.evidence, 'Float64')
                            ),
                            line
                        ),
                        '<[a-z_]+>',
                        if(place > 1, '\\0', 'an unknown number')
                    ),
                    splitByChar('\n', words[concat('advice ', key)]) AS lines,
                    arrayEnumerate(lines)
                ),
                '\n    '
            ),
            advice
        ),
        '\n'
    ) AS change,
    node_hours_lost
FROM findings
WHERE (cluster, start_time, log_id) IN (SELECT cluster, start_time, log_id FROM shown)
{% if url_param('job') %}
    OR job_uid IN {{ job }} AND (cluster, start_time) IN
    (
        SELECT cluster, submit_time FROM job_results WHERE {{ of_job }}
    )
{% endif %}
