-- Files of runs with several processes, and their bytes, by how many of the processes opened them. Added up by what the
-- page is filtered by, so that the answer stays small.
WITH summed AS
(
    SELECT
        max(time) AS newest,
        cluster,
        user,
        account,
        filesystem,
        [
            ('one process', sum(unique_files), sum(unique_file_bytes)),
            ('some processes', sum(partial_files), sum(partial_file_bytes)),
            ('all processes', sum(shared_files), sum(shared_file_bytes))
        ] AS openings
    FROM run_totals(since = '{{ since }}', until = '{{ until }}')
    WHERE {{ of_center }} AND is_parallel = 1
    GROUP BY cluster, user, account, filesystem
)
SELECT
    newest AS time,
    cluster,
    user,
    account,
    filesystem,
    opening.1 AS opened_by,
    opening.2 AS files,
    opening.3 AS bytes
FROM summed
ARRAY JOIN openings AS opening
