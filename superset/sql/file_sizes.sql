-- Files, each with the mean size of the files of its run, in classes. Added up by what the page is filtered by, so that
-- the answer stays small.
WITH summed AS
(
    SELECT
        max(time) AS newest,
        cluster,
        user,
        account,
        filesystem,
        sumForEach(files_by_size) AS numbers
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
    class.1 AS file_bytes_from,
    class.2 AS files
FROM summed
ARRAY JOIN arrayZip({{ file_bins }}, numbers) AS class
WHERE files > 0
