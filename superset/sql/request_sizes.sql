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
        sumForEach(reads_by_size) AS read_numbers,
        sumForEach(writes_by_size) AS written_numbers
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
    bin.1 AS bytes_from,
    bin.2 AS reads,
    bin.3 AS writes
FROM summed
ARRAY JOIN arrayZip({{ request_bins | list }}, read_numbers, written_numbers) AS bin
