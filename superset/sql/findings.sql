{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- Findings of runs and of whole jobs, with what they are filtered by.
WITH
    concerned AS
    (
        SELECT cluster, log_id, '' AS job_uid, user, account, job_id, exe, filesystem, verdict
        FROM runs
        WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}'
        UNION ALL
        SELECT cluster, '' AS log_id, job_uid, user, account, job_id, job_name AS exe, NULL AS filesystem, verdict
        FROM job_results
        WHERE submit_time >= '{{ since }}' AND submit_time < '{{ until }}'
    )
SELECT
    found.start_time AS time,
    ifNull(concerned.user, '(unknown)') AS user,
    ifNull(concerned.account, '(unknown)') AS account,
    toString(concerned.job_id) AS job,
    concerned.exe AS exe,
    ifNull(concerned.filesystem, '(none)') AS filesystem,
    replaceAll(concerned.verdict, '_', ' ') AS verdict,
    found.rule_id AS rule,
    found.title AS title,
    found.severity AS severity,
    found.evidence_class AS evidence_class,
    arrayStringConcat(
        arrayMap(item -> concat(item.1, ' = ', item.2), JSONExtractKeysAndValuesRaw(found.evidence)), '; '
    ) AS evidence,
    found.node_hours_lost AS node_hours_lost
FROM findings AS found
LEFT JOIN concerned USING (cluster, log_id, job_uid)
WHERE found.start_time >= '{{ since }}' AND found.start_time < '{{ until }}'
