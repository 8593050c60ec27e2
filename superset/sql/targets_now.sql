-- What each Lustre target does now: the rate between the newest two looks at it within ten minutes, on the server that
-- reported it last.
-- Not from target_live_rates, which reads all days for that.
WITH
    -- stands in the table's parts, nothing is read
    (SELECT least(max(time), toDateTime64('{{ until }}', 6, 'UTC')) FROM target_live_versions) AS newest,
    looks AS
    (
        SELECT *
        FROM target_live
        WHERE time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }} AND {{ of_target() }} AND time > newest - INTERVAL 10 MINUTE
        ORDER BY time DESC
        LIMIT 2 BY cluster, server, target
    ),
    rates AS
    (
        SELECT
            cluster,
            target,
            server,
            max(time) AS at,
            dateDiff('microsecond', min(time), at) / 1e6 AS seconds,
            (argMax(tuple(reads), time).1 - argMin(tuple(reads), time).1) / seconds AS read_requests,
            (argMax(tuple(writes), time).1 - argMin(tuple(writes), time).1) / seconds AS write_requests,
            (argMax(tuple(bytes_read), time).1 - argMin(tuple(bytes_read), time).1) / seconds AS read,
            (argMax(tuple(bytes_written), time).1 - argMin(tuple(bytes_written), time).1) / seconds AS written,
            (argMax(tuple(other_operations), time).1 - argMin(tuple(other_operations), time).1) / seconds AS operations
        FROM looks
        GROUP BY cluster, target, server
        -- a count that fell began anew
        HAVING count() = 2
            AND least(ifNull(read_requests, 0), ifNull(write_requests, 0), ifNull(read, 0), ifNull(written, 0), ifNull(operations, 0)) >= 0
        ORDER BY at DESC
        LIMIT 1 BY cluster, target
    )
SELECT
    at AS time,
    cluster,
    target,
    server,
    ifNull(read, 0) / 1048576 AS read_mib_per_second,
    ifNull(written, 0) / 1048576 AS write_mib_per_second,
    read_mib_per_second + write_mib_per_second AS mib_per_second,
    ifNull(read_requests, 0) + ifNull(write_requests, 0) AS requests_per_second,
    mib_per_second * 1024 / nullIf(requests_per_second, 0) AS mean_request_kib,
    ifNull(operations, 0) AS metadata_per_second,
    dateDiff('second', time, now()) AS age_seconds
FROM rates
