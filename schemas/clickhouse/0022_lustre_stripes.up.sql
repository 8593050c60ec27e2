-- Darshan LUSTRE: one stripe of one component of a file's layout, as the process of that rank saw it.
CREATE TABLE lustre_stripes_versions
(
    cluster LowCardinality(String),
    log_id String,
    job_id Int64,
    start_time DateTime64(6, 'UTC') COMMENT 'of the run',
    record_id UInt64,
    rank Int64,
    name String COMMENT 'of the file',
    module_version UInt16,
    COMPONENT Int64 COMMENT 'of the layout, from 0; logs before 3.41 know one',
    STRIPE Int64 COMMENT 'of the component, from 0; -1 for a component that has no target yet',
    OST_ID Int64 COMMENT 'storage target; -1 likewise',
    LUSTRE_COMP_STRIPE_SIZE Nullable(Int64) COMMENT 'bytes',
    LUSTRE_COMP_STRIPE_COUNT Nullable(Int64),
    LUSTRE_COMP_STRIPE_PATTERN Nullable(Int64),
    LUSTRE_COMP_FLAGS Nullable(Int64),
    LUSTRE_COMP_EXT_START Nullable(Int64) COMMENT 'first byte of the file that the component holds',
    LUSTRE_COMP_EXT_END Nullable(Int64),
    LUSTRE_COMP_MIRROR_ID Nullable(Int64),
    version UInt64,
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMM(start_time)
ORDER BY (cluster, log_id, record_id, rank, COMPONENT, STRIPE)
TTL toDateTime(start_time) + INTERVAL 1 YEAR;

CREATE VIEW lustre_stripes AS SELECT * EXCEPT (version, is_deleted) FROM lustre_stripes_versions FINAL;
