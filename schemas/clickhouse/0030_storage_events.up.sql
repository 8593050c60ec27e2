-- What was wrong with a server, device or file system: silent, hot or saturated, and until when.
CREATE TABLE storage_events_versions
(
    cluster LowCardinality(String),
    event_id String COMMENT 'hash of cluster, kind, subject kind, subject and since',
    kind LowCardinality(String) COMMENT 'silent, hot or saturated',
    subject_kind LowCardinality(String) COMMENT 'server, device or filesystem',
    subject String COMMENT 'name of the server, or id',
    server LowCardinality(String) COMMENT 'of a device: where it was last seen; else empty',
    filesystem LowCardinality(String) COMMENT 'of a device or file system, else empty',
    since DateTime64(6, 'UTC') COMMENT 'last sample before the silence, or first bucket of the trouble',
    ended Nullable(DateTime64(6, 'UTC')) COMMENT 'null while it is open',
    state LowCardinality(String) COMMENT 'open, recovered, or abandoned: nothing more was heard of it',
    in_maintenance UInt8 COMMENT 'as of this version; nothing opens in maintenance',
    names Array(String) COMMENT 'of the numbers that prove it',
    numbers Array(Float64),
    version UInt64 COMMENT 'microsecond at which its state became known',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (cluster, event_id);

CREATE VIEW storage_events AS SELECT * EXCEPT (version, is_deleted) FROM storage_events_versions FINAL;
