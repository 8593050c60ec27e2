-- A row for each interface that runs used. Layers of one run count each: what MPI-IO moves is POSIX below. Added up by
-- what the page is filtered by, so that the answer stays small.
WITH summed AS
(
    SELECT
        max(time) AS newest,
        cluster,
        user,
        account,
        filesystem,
        sumForEach(interface_runs) AS counts,
        sumForEach(interface_bytes) AS moved,
        sumForEach(interface_node_hours) AS hours
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
    used.1 AS interface,
    used.2 AS runs,
    used.3 AS bytes,
    used.4 AS node_hours
FROM summed
ARRAY JOIN arrayZip(['POSIX', 'MPI-IO', 'STDIO', 'HDF5', 'PnetCDF', 'DAOS'], counts, moved, hours) AS used
WHERE runs > 0
