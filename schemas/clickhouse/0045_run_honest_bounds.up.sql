-- What findings say of ranks, of files that were only read, of streams and of blocks that nobody asked for. Rows of code
-- before revision 7 have none; their collective_* are of all files with a collective operation.
ALTER TABLE runs_versions
    ADD COLUMN posix_ranks_above_3x_mean Nullable(Float64) COMMENT 'ranks whose META + READ + WRITE is above 3 times posix_mean_rank_seconds, listed; of shared files only the slowest rank''s time is known',
    ADD COLUMN posix_read_only_file_bytes Nullable(Float64) COMMENT 'POSIX, both directions, of listed files that were read and not written; of some files above 4096 (B)',
    ADD COLUMN posix_written_file_bytes Nullable(Float64) COMMENT 'POSIX, both directions, of listed files that were written, by POSIX or STDIO; of some files above 4096 (B)',
    ADD COLUMN stdio_read_only_file_bytes Nullable(Float64) COMMENT 'STDIO, both directions, of listed files that were read and not written; of some files above 4096 (B)',
    ADD COLUMN stdio_written_file_bytes Nullable(Float64) COMMENT 'STDIO, both directions, of listed files that were written, by POSIX or STDIO; of some files above 4096 (B)',
    ADD COLUMN stdio_data_seconds Nullable(Float64) COMMENT 'STDIO F_READ_TIME + F_WRITE_TIME, summed over ranks, listed (s)',
    ADD COLUMN stdio_metadata_seconds Nullable(Float64) COMMENT 'STDIO F_META_TIME, summed over ranks, listed; fclose writes what the stream holds (s)',
    ADD COLUMN stdio_metadata_share Nullable(Float64) COMMENT 'STDIO F_META_TIME / (META + READ + WRITE), listed',
    ADD COLUMN rmw_read_bytes Nullable(Float64) COMMENT 'POSIX bytes read of the files of rmw_small_reads beyond those that MPI-IO or HDF5 was asked for; 0 where the blocks had not been written before (B)';

ALTER TABLE runs_versions
    COMMENT COLUMN collective_io_seconds 'MPI-IO time, by the slowest rank, of the listed files at least half of whose data operations are collective; opens, closes and independent calls are in it (s)',
    COMMENT COLUMN collective_overhead_seconds 'collective_io_seconds less the POSIX time of the same files, a lower bound; of the files of which POSIX wrote no less than MPI-IO, and only where the log has all POSIX records (s)',
    COMMENT COLUMN rmw_small_reads 'POSIX reads surely below 1 MiB below MPI-IO or HDF5 that nobody asked for, in turns with writes (1)',
    COMMENT COLUMN rmw_small_writes 'POSIX writes surely below 1 MiB of the same files (1)';

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
