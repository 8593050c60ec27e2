-- What was decided about messages to users, and how far those that leave have come.
SELECT
    decisions.decided_at AS time,
    toStartOfDay(decisions.decided_at) AS day,
    decisions.user AS user,
    decisions.cluster AS cluster,
    decisions.mode AS mode,
    transform(
        decisions.mode,
        ['shadow', 'rehearsal', 'live'],
        ['nothing leaves', 'staff get the messages', 'users get the messages'],
        ''
    ) AS meaning,
    decisions.kind AS kind,
    transform(
        decisions.held,
        ['', 'unwanted', 'excluded', 'below_thresholds', 'storage', 'muted', 'sent_before', 'limit'],
        [
            '(not held back)', 'user wants none', 'excluded by the site', 'below thresholds',
            'storage is responsible', 'muted', 'reported before', 'daily limit'
        ],
        replaceAll(decisions.held, '_', ' ')
    ) AS reason,
    multiIf(
        decisions.held != '', 'held back',
        decisions.mode = 'shadow', 'shadow, not sent',
        went.state = 'sent' AND decisions.mode = 'rehearsal', 'sent to staff',
        went.state IN ('sent', 'failed', 'ambiguous'), toString(went.state),
        'not sent yet'
    ) AS outcome,
    decisions.held = '' AS message,
    outcome = 'sent' AS sent_to_user,
    decisions.jobs AS jobs,
    decisions.node_hours_lost AS node_hours_lost
FROM alerts_since(since = '{{ since }}') AS decisions
LEFT JOIN
(
    SELECT cluster, alert, mode, state
    FROM deliveries_since(since = '{{ since }}')
    WHERE decided_at >= '{{ since }}' AND decided_at < '{{ until }}' AND {{ of_center }}
) AS went USING (cluster, alert, mode)
WHERE decisions.decided_at < '{{ until }}' AND {{ of_center }}
