/*
title: Who moved bytes at a time
question: Whose runs did I/O in the range, and how much may it have been?
note: Of a run that did I/O before or after the range, too, gib_if_even takes the part as if its bytes were spread
  evenly. A narrow range is given with --set since="2026-05-10 03:00:00" and --set until=...
parameters:
  days: {type: UInt32, default: 7, meaning: how many days before the range its runs may have started}
  limit: {type: UInt32, default: 20, meaning: how many lines}
*/
WITH
    active AS
    (
        SELECT
            cluster,
            user,
            account,
            program,
            filesystem,
            bytes_moved,
            ifNull(start_time + toIntervalMillisecond(1000 * first_io_seconds), start_time) AS first_io,
            ifNull(start_time + toIntervalMillisecond(1000 * last_io_seconds), end_time) AS last_io,
            dateDiff(
                'millisecond',
                greatest(first_io, {since:DateTime64(6, 'UTC')}),
                least(last_io, {until:DateTime64(6, 'UTC')})
            ) / dateDiff('millisecond', first_io, last_io) AS part
        FROM runs
        WHERE start_time >= {since:DateTime64(6, 'UTC')} - toIntervalDay({days:UInt32})
            AND start_time < {until:DateTime64(6, 'UTC')}
            AND {cluster:String} IN ('', cluster) AND bytes_moved > 0
    )
SELECT
    cluster,
    user,
    account,
    program,
    filesystem,
    count() AS runs,
    round(sum(bytes_moved * if(last_io > first_io, part, 1)) / pow(1024, 3), 2) AS gib_if_even,
    round(sum(bytes_moved) / pow(1024, 3), 2) AS gib_at_most
FROM active
WHERE first_io < {until:DateTime64(6, 'UTC')} AND last_io >= {since:DateTime64(6, 'UTC')}
GROUP BY cluster, user, account, program, filesystem
ORDER BY gib_if_even DESC, cluster, user, account, program, filesystem
LIMIT {limit:UInt32}
