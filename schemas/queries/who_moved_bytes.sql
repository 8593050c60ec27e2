/*
title: Who moved bytes at a time
question: Whose runs were active in the range, and how much may they have moved?
note: Of a run that did I/O before or after the range, too, gib_if_even takes the part as if its bytes were spread
  evenly. Runs that moved nothing count beside those of the same program. A narrow range is given with
  --set since="2026-05-10 03:00:00" and --set until=...
parameters:
  days: {type: UInt32, default: 7, meaning: how many days a run lasts at most}
  limit: {type: UInt32, default: 20, meaning: how many lines}
example: |
  cluster,user,account,program,filesystem,runs,gib_if_even,gib_at_most
  c,ann,proj,app,scratch,1,2048,4096
  c,bob,other,sim,scratch,1,1024,1024
*/
WITH
    -- runs that started between these are over before the range is, so that the totals of their days will do
    toDateTime64(toDate({since:DateTime64(6, 'UTC')} + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND), 6, 'UTC') AS first_day,
    toDateTime64(toDate({until:DateTime64(6, 'UTC')} - toIntervalDay({days:UInt32})), 6, 'UTC') AS end_day,
    active AS
    (
        SELECT
            cluster,
            user,
            account,
            program,
            filesystem,
            bytes_moved,
            -- of a damaged log they may be any number; what is no time counts as unknown
            ifNull(start_time + toIntervalSecond(accurateCastOrNull(round(first_io_seconds), 'Int32')), start_time) AS first_io,
            ifNull(start_time + toIntervalSecond(accurateCastOrNull(round(last_io_seconds), 'Int32')), greatest(start_time, end_time)) AS last_io,
            dateDiff(
                'microsecond',
                greatest(first_io, {since:DateTime64(6, 'UTC')}),
                least(last_io, {until:DateTime64(6, 'UTC')})
            ) / dateDiff('microsecond', first_io, last_io) AS part
        FROM runs
        WHERE start_time >= {since:DateTime64(6, 'UTC')} - toIntervalDay({days:UInt32})
            AND start_time < {until:DateTime64(6, 'UTC')} AND (start_time < first_day OR start_time >= end_day)
            AND {cluster:String} IN ('', cluster)
    )
SELECT
    cluster,
    user,
    account,
    program,
    filesystem,
    sum(counted) AS runs,
    round(sum(even) / pow(1024, 3), 2) AS gib_if_even,
    round(sum(most) / pow(1024, 3), 2) AS gib_at_most
FROM
(
    SELECT
        cluster,
        user,
        account,
        program,
        filesystem,
        count() AS counted,
        sum(ifNull(bytes_moved, 0) * if(last_io > first_io, part, 1)) AS even,
        toFloat64(sum(ifNull(bytes_moved, 0))) AS most
    FROM active
    WHERE first_io < {until:DateTime64(6, 'UTC')} AND last_io >= {since:DateTime64(6, 'UTC')}
    GROUP BY cluster, user, account, program, filesystem
    UNION ALL
    SELECT
        cluster,
        nullIf(user, '(unknown)') AS user,
        nullIf(account, '(unknown)') AS account,
        program,
        nullIf(filesystem, '(none)') AS filesystem,
        sum(runs) AS counted,
        toFloat64(sum(bytes_read + bytes_written)) AS even,
        even AS most
    FROM run_totals(since = first_day, until = greatest(first_day, end_day))
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, user, account, program, filesystem
)
GROUP BY cluster, user, account, program, filesystem
HAVING sum(most) > 0
ORDER BY sum(even) DESC, cluster, user, account, program, filesystem
LIMIT {limit:UInt32}
