-- I/O time and rate at the layer that the application called. Rows of code before revision 6 have no application_bytes,
-- and the old meaning of io_time_seconds and what follows from it.
ALTER TABLE runs_versions
    ADD COLUMN application_bytes Nullable(Float64) COMMENT 'bytes at the layer that the application called: of a file with MPI-IO data operations those of MPI-IO, else of POSIX; of streams those of STDIO (B)',
    ADD COLUMN io_time_mpiio_seconds Nullable(Float64) COMMENT 'the part of io_time_seconds that is taken at MPI-IO',
    ADD COLUMN collective_io_seconds Nullable(Float64) COMMENT 'MPI-IO time of the files with collective data operations, by the slowest rank, listed',
    ADD COLUMN collective_overhead_seconds Nullable(Float64) COMMENT 'collective_io_seconds less the POSIX time of the same files, a lower bound',
    ADD COLUMN rmw_small_reads Nullable(Float64) COMMENT 'POSIX reads of up to 1 MiB below MPI-IO or HDF5 that nobody asked for (1)',
    ADD COLUMN rmw_small_writes Nullable(Float64) COMMENT 'POSIX writes of up to 1 MiB of the same files (1)',
    ADD COLUMN sieved_read_bytes Nullable(Float64) COMMENT 'POSIX bytes read of listed files that MPI-IO wrote and never read: data sieving (B)';

ALTER TABLE runs_versions
    COMMENT COLUMN io_time_seconds 'time at the layer that the application called, as application_bytes: largest rank''s over its unshared files + the slowest rank''s over each shared one; below HDF5 and PnetCDF a lower bound. Of POSIX + STDIO where application_bytes is null',
    COMMENT COLUMN mib_per_second 'MiB of application_bytes / io_time_seconds; of POSIX + STDIO where application_bytes is null';

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
