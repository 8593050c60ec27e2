INSERT INTO findings_versions
    (cluster, log_id, job_uid, rule_id, start_time, job_id, user, account, exe, program, filesystem, verdict, title, severity,
    evidence_class, evidence, node_hours_lost, advice, revision, version, is_deleted, origin, landed_at)
SELECT
    'history', id, '', rule, began, job_number, owner, project, binary, binary, home, judged, rule,
    ['info', 'notice', 'warning', 'critical'][1 + h % 4], 'exact', concat('{"opens": ', toString(h % 5000), '}'),
    duration * width / 36000 * $edition, [], 9, $edition, h % 200 = 0 AND $edition = 2, 'live', began
FROM ($numbered)
ARRAY JOIN held AS rule
