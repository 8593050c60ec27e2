-- POSIX requests by their size, in Darshan's bins. Added up by what the page is filtered by, so that the answer stays
-- small.
WITH summed AS
(
    SELECT
        max(time) AS newest,
        cluster,
        user,
        account,
        filesystem,
        [('read', sumForEach(reads_by_size)), ('write', sumForEach(writes_by_size))] AS sizes
    FROM run_totals(since = '{{ since }}', until = '{{ until }}')
    WHERE {{ of_center }}
    GROUP BY cluster, user, account, filesystem
)
SELECT
    newest AS time,
    cluster,
    user,
    account,
    filesystem,
    flow.1 AS direction,
    bin.1 AS bytes_from,
    bin.2 AS requests
FROM summed
ARRAY JOIN sizes AS flow
ARRAY JOIN arrayZip([1, 100, 1024, 10240, 102400, 1048576, 4194304, 10485760, 104857600, 1073741824], flow.2) AS bin
