-- Cases that changed in the range: a run had the cause, or a message named it.
SELECT
    changed_at AS time,
    cluster,
    user,
    if(sent_in = '', '(none yet)', sent_in) AS mode,
    state,
    program,
    rule_id AS rule,
    title,
    runs,
    node_hours_lost,
    times_sent,
    sent_at,
    arrayStringConcat(retracted, ', ') AS retracted
FROM cases_since(since = '{{ since }}')
WHERE changed_at < '{{ until }}' AND {{ of_center }} AND (runs > 0 OR state != 'counted')
