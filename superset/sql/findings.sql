-- Findings of runs, with what they are filtered by.
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    cluster,
    ifNull(account, '(unknown)') AS account,
    toString(job_id) AS job,
    log_id,
    job_uid,
    if(log_id = '', 'job', substring(log_id, 1, 8)) AS log,
    exe,
    program,
    ifNull(filesystem, '(none)') AS filesystem,
    replaceAll(verdict, '_', ' ') AS verdict,
    rule_id AS rule,
    title,
    severity,
    evidence_class,
    {{ numbers_of('findings.evidence') }} AS evidence,
    node_hours_lost
FROM findings
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center_in('findings_versions') }}
