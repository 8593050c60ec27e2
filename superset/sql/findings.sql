{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Findings of runs, with what they are filtered by.
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    toString(job_id) AS job,
    log_id,
    exe,
    ifNull(filesystem, '(none)') AS filesystem,
    replaceAll(verdict, '_', ' ') AS verdict,
    rule_id AS rule,
    title,
    severity,
    evidence_class,
    arrayStringConcat(
        arrayMap(item -> concat(item.1, ' = ', item.2), JSONExtractKeysAndValuesRaw(findings.evidence)), '; '
    ) AS evidence,
    node_hours_lost
FROM findings
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}'
