{% set range = get_time_filter('time', strftime='%Y-%m-%d %H:%M:%S') %}
{% set since = range.from_expr or '1970-01-01 00:00:00' %}
{% set until = range.to_expr or '2100-01-01 00:00:00' %}
-- What the disks of each Lustre target read and wrote, by the size of the I/O. Bins without any keep their place on the axis.
WITH
    looks AS
    (
        SELECT
            cluster,
            target,
            time,
            size_bytes,
            disk_reads,
            disk_writes,
            row_number() OVER (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS look,
            lagInFrame(size_bytes) OVER (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS sizes_before,
            lagInFrame(disk_reads) OVER (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS reads_before,
            lagInFrame(disk_writes) OVER (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS writes_before
        FROM target_io_sizes
        WHERE time >= '{{ since }}' AND time < '{{ until }}'
    ),
    done AS
    (
        SELECT
            cluster,
            target,
            time,
            size_bytes,
            -- a bin that was not there before had none: index 0 gives 0
            arrayMap((size, ios) -> toInt64(ios) - toInt64(reads_before[indexOf(sizes_before, size)]), size_bytes, disk_reads) AS reads,
            arrayMap((size, ios) -> toInt64(ios) - toInt64(writes_before[indexOf(sizes_before, size)]), size_bytes, disk_writes) AS writes
        FROM looks
        -- a count that fell began anew
        WHERE look > 1
            AND hasAll(size_bytes, sizes_before)
            AND arrayAll(ios -> ios >= 0, reads)
            AND arrayAll(ios -> ios >= 0, writes)
    ),
    totals AS
    (
        SELECT
            max(time) AS last,
            cluster,
            target,
            sumMap(size_bytes, reads) AS all_reads,
            sumMap(size_bytes, writes) AS all_writes,
            sum(arraySum(reads) + arraySum(writes)) AS target_ios
        FROM done
        GROUP BY cluster, target
    )
SELECT
    last AS time,
    target,
    flow.1 AS direction,
    arrayJoin([4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]) AS up_to_kib,
    arraySum(arrayMap((size, ios) -> if(least(greatest(size / 1024, 4), 16384) = up_to_kib, ios, 0), flow.2, flow.3)) AS ios,
    target_ios
FROM totals
ARRAY JOIN [('read', all_reads.1, all_reads.2), ('write', all_writes.1, all_writes.2)] AS flow
