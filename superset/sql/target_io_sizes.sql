-- What the disks of each Lustre target read and wrote, by the size of the I/O. Bins without any keep their place on the axis.
WITH
    -- a step in which what there is in the range fits 24 times and more; the first and last times of a table stand in its
    -- parts, nothing is read
    (SELECT {{ finest(24, 'time') }} FROM target_io_sizes_versions) AS width,
    -- the first and the last look of each step: a count grows, so that those between add nothing. A look never changes, so
    -- that one that landed twice does not matter here, and FINAL has nothing to do
    steps AS
    (
        SELECT
            cluster,
            server,
            target,
            argMin((target_io_sizes_versions.time, size_bytes, disk_reads, disk_writes), target_io_sizes_versions.time) AS first,
            argMax((target_io_sizes_versions.time, size_bytes, disk_reads, disk_writes), target_io_sizes_versions.time) AS last
        FROM target_io_sizes_versions
        WHERE is_deleted = 0 AND time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }} AND {{ of_target() }}
            AND (toUnixTimestamp(time) % width < greatest(60, width / 60) OR time > (SELECT max(time) FROM target_io_sizes_versions) - INTERVAL 1 MINUTE)
        GROUP BY cluster, server, target, intDiv(toUnixTimestamp(target_io_sizes_versions.time), width)
    ),
    kept AS
    (
        SELECT DISTINCT cluster, server, target, own.1 AS time, own.2 AS size_bytes, own.3 AS disk_reads, own.4 AS disk_writes
        FROM steps
        ARRAY JOIN [first, last] AS own
    ),
    looks AS
    (
        SELECT
            cluster,
            target,
            time,
            size_bytes,
            disk_reads,
            disk_writes,
            row_number() OVER looks AS look,
            lagInFrame(size_bytes) OVER looks AS sizes_before,
            lagInFrame(disk_reads) OVER looks AS reads_before,
            lagInFrame(disk_writes) OVER looks AS writes_before
        FROM kept
        WINDOW looks AS (PARTITION BY cluster, server, target ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
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
            sum(arraySum(reads) + arraySum(writes)) AS ios,
            row_number() OVER (ORDER BY ios DESC, cluster, target) AS rank,
            count() OVER () AS known
        FROM done
        GROUP BY cluster, target
    ),
    -- forty rows fit: the targets with most I/Os, and the others together
    shown AS
    (
        SELECT
            max(last) AS time,
            if(rank <= 40 OR known = 41, target, concat(toString(known - 40), ' others')) AS target_or_others,
            sumMap(all_reads.1, all_reads.2) AS reads,
            sumMap(all_writes.1, all_writes.2) AS writes,
            sum(ios) AS target_ios
        FROM totals
        GROUP BY target_or_others
    )
SELECT
    time,
    {{ center }} AS cluster,
    target_or_others AS target,
    flow.1 AS direction,
    arrayJoin([4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384]) AS up_to_kib,
    arraySum(arrayMap((size, ios) -> if(least(greatest(size / 1024, 4), 16384) = up_to_kib, ios, 0), flow.2, flow.3)) AS ios,
    target_ios
FROM shown
ARRAY JOIN [('read', reads.1, reads.2), ('write', writes.1, writes.2)] AS flow
