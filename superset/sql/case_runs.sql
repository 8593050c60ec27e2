-- Findings of runs under the names that cases have: program and rule of a user.
SELECT
    start_time AS time,
    cluster,
    ifNull(user, '(unknown)') AS user,
    program,
    rule_id AS rule,
    title,
    toString(job_id) AS job,
    job_uid,
    log_id,
    if(log_id = '', 'job', substring(log_id, 1, 8)) AS log,
    replaceAll(verdict, '_', ' ') AS verdict,
    node_hours_lost
FROM findings
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center_in('findings_versions') }}
