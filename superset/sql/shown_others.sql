-- How many other runs were active on the same devices or file system at any time.
WITH
    {{ when_shown }},
    (
        SELECT arrayFirst(seconds -> seconds >= ifNull(dateDiff('second', whole.since, whole.until), 0) / 120, {{ intervals }})
    ) AS width
SELECT
    toDateTime(arrayJoin(range(
        toUInt32(toStartOfInterval(greatest(start_time, assumeNotNull(whole.since)), toIntervalSecond(width))),
        toUInt32(toDateTime(least(assumeNotNull(ended), assumeNotNull(whole.until)))) + 1,
        toUInt32(width)
    )), 'UTC') AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    cluster,
    which,
    log_id
FROM
(
    SELECT start_time, {{ active_until }} AS ended, user, account, cluster, if(slow = 1, 'slow', 'other') AS which, log_id
    FROM runs
    WHERE {{ meanwhile }}
    UNION ALL
    -- none, for as long as this lasts
    SELECT start_time, ended, user, account, cluster, arrayJoin(['slow', 'other']), NULL
    FROM shown
)
