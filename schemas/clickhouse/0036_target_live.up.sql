-- What Lustre's servers counted of their targets: requests as the target takes them, not what block devices do,
-- so they are added to no load.
CREATE TABLE target_live_versions
(
    cluster LowCardinality(String),
    server LowCardinality(String),
    target LowCardinality(String) COMMENT 'OST or MDT',
    time DateTime64(6, 'UTC') COMMENT 'of the look',
    reads Nullable(Float64) COMMENT 'requests since the target was mounted, as all columns count',
    writes Nullable(Float64),
    bytes_read Nullable(Float64),
    bytes_written Nullable(Float64),
    other_operations Nullable(Float64) COMMENT 'of metadata, without those that keep connections up',
    version UInt64 COMMENT 'constant: a look never changes',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(time)
ORDER BY (cluster, server, target, time)
TTL toDateTime(time) + INTERVAL 14 DAY;

CREATE VIEW target_live AS SELECT * EXCEPT (version, is_deleted) FROM target_live_versions FINAL;

-- What a target did between two looks of its server. A count that fell began anew: that interval is left out.
CREATE VIEW target_live_rates AS
SELECT
    cluster, server, target, time,
    dateDiff('microsecond', time_before, time) / 1e6 AS seconds,
    (reads - reads_before) / seconds AS reads_per_second,
    (writes - writes_before) / seconds AS writes_per_second,
    (bytes_read - bytes_read_before) / seconds AS bytes_read_per_second,
    (bytes_written - bytes_written_before) / seconds AS bytes_written_per_second,
    (other_operations - other_operations_before) / seconds AS other_operations_per_second,
    origin, landed_at
FROM
(
    SELECT
        *,
        row_number() OVER looks AS look,
        lagInFrame(time) OVER looks AS time_before,
        lagInFrame(reads) OVER looks AS reads_before,
        lagInFrame(writes) OVER looks AS writes_before,
        lagInFrame(bytes_read) OVER looks AS bytes_read_before,
        lagInFrame(bytes_written) OVER looks AS bytes_written_before,
        lagInFrame(other_operations) OVER looks AS other_operations_before
    FROM target_live
    WINDOW looks AS (
        PARTITION BY cluster, server, target
        ORDER BY time ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)
WHERE look > 1
    AND NOT coalesce(
        reads < reads_before OR writes < writes_before OR bytes_read < bytes_read_before
            OR bytes_written < bytes_written_before OR other_operations < other_operations_before,
        false
    );

-- How large the disk I/O of a target was, a row a look: brw_stats of its osd.
CREATE TABLE target_io_sizes_versions
(
    cluster LowCardinality(String),
    server LowCardinality(String),
    target LowCardinality(String) COMMENT 'OST, MDT or MGS',
    time DateTime64(6, 'UTC') COMMENT 'of the look',
    size_bytes Array(UInt64) COMMENT 'upper edges of the bins: one holds what is larger than half of that',
    disk_reads Array(UInt64) COMMENT 'in each bin since the target was mounted',
    disk_writes Array(UInt64),
    version UInt64 COMMENT 'constant: a look never changes',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(time)
ORDER BY (cluster, server, target, time)
TTL toDateTime(time) + INTERVAL 14 DAY;

CREATE VIEW target_io_sizes AS SELECT * EXCEPT (version, is_deleted) FROM target_io_sizes_versions FINAL;
