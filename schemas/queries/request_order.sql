/*
title: Sequential and random requests
question: How many POSIX reads and writes begin where the last one of their process ended, how many further on, how
  many further back?
note: consecutive requests count as sequential, too. Of those that went back only bounds are in the log; of a log that lacks
  records the upper one is not known, and it counts in the lower one alone. All requests of a run count where most of its
  bytes went.
source: Carns et al. 2011, who count sequential and consecutive accesses
example: |
  cluster,filesystem,direction,requests,consecutive,sequential,back_at_least,back_at_most
  c,scratch,read,110,0.545,0.818,0.091,0.182
  c,scratch,write,300,0.5,0.8,0,0.2
*/
SELECT
    cluster,
    filesystem,
    flow.1 AS direction,
    toUInt64(flow.2[1]) AS requests,
    round(flow.2[2] / nullIf(requests, 0), 3) AS consecutive,
    round(flow.2[3] / nullIf(requests, 0), 3) AS sequential,
    round(flow.2[4] / nullIf(requests, 0), 3) AS back_at_least,
    round(flow.2[5] / nullIf(requests, 0), 3) AS back_at_most
FROM
(
    SELECT
        cluster,
        nullIf(filesystem, '(none)') AS filesystem,
        [('read', sumForEach(reads_in_order)), ('write', sumForEach(writes_in_order))] AS flows
    FROM run_io_months(since = {since:DateTime64(6, 'UTC')}, until = {until:DateTime64(6, 'UTC')})
    WHERE {cluster:String} IN ('', cluster)
    GROUP BY cluster, filesystem
)
ARRAY JOIN flows AS flow
ORDER BY cluster, filesystem, direction
