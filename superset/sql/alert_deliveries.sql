-- How far each message is that left or was to leave. Operators are no user, so that nobody owns their rows.
SELECT
    deliveries.time AS time,
    decided_at,
    left(alert, 12) AS alert,
    kind,
    if(startsWith(unit, 'job '), substring(unit, 5), '') AS job_uid,
    if(job_uid = '', '', 'its job') AS about,
    if(kind IN ('trouble', 'over') OR recipient = 'operators', '(operators)', recipient) AS user,
    cluster,
    mode,
    state AS delivery_state,
    indexOf(['ambiguous', 'failed', 'waiting', 'attempt', 'sent'], state) AS urgency,
    transform(
        state,
        ['ambiguous', 'failed', 'waiting', 'attempt'],
        [
            'Not sent again by itself: look in the log of the mail server, then resend',
            'Given up: resend once the reason is gone',
            'Tried again by itself',
            'Being sent'
        ],
        ''
    ) AS next_step,
    subject,
    attempts,
    arrayStringConcat(
        arrayMap(
            channel -> concat(channel.1, ' ', channel.3, if(channel.4 = '', '', concat(' (', channel.4, ')'))),
            deliveries.channels
        ),
        '; '
    ) AS answers
FROM deliveries_since(since = '{{ since }}') AS deliveries
WHERE deliveries.time < '{{ until }}' AND {{ of_center }}
