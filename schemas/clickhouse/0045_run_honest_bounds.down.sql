DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS posix_ranks_above_3x_mean,
    DROP COLUMN IF EXISTS posix_read_only_file_bytes,
    DROP COLUMN IF EXISTS posix_written_file_bytes,
    DROP COLUMN IF EXISTS stdio_read_only_file_bytes,
    DROP COLUMN IF EXISTS stdio_written_file_bytes,
    DROP COLUMN IF EXISTS stdio_data_seconds,
    DROP COLUMN IF EXISTS stdio_metadata_seconds,
    DROP COLUMN IF EXISTS stdio_metadata_share,
    DROP COLUMN IF EXISTS rmw_read_bytes;

ALTER TABLE runs_versions
    COMMENT COLUMN collective_io_seconds 'MPI-IO time of the files with collective data operations, by the slowest rank, listed',
    COMMENT COLUMN collective_overhead_seconds 'collective_io_seconds less the POSIX time of the same files, a lower bound',
    COMMENT COLUMN rmw_small_reads 'POSIX reads of up to 1 MiB below MPI-IO or HDF5 that nobody asked for (1)',
    COMMENT COLUMN rmw_small_writes 'POSIX writes of up to 1 MiB of the same files (1)';

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
