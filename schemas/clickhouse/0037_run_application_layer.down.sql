DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS application_bytes,
    DROP COLUMN IF EXISTS io_time_mpiio_seconds,
    DROP COLUMN IF EXISTS collective_io_seconds,
    DROP COLUMN IF EXISTS collective_overhead_seconds,
    DROP COLUMN IF EXISTS rmw_small_reads,
    DROP COLUMN IF EXISTS rmw_small_writes,
    DROP COLUMN IF EXISTS sieved_read_bytes;

ALTER TABLE runs_versions
    COMMENT COLUMN io_time_seconds 'agg_time_by_slowest of POSIX + STDIO',
    COMMENT COLUMN mib_per_second 'bytes of POSIX + STDIO / io_time';

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
