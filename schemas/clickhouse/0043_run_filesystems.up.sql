-- Alignment by file system: what is known of each listed one, an array a feature, in the order of the column filesystems.
-- Rows of code before revision 7 have none.
ALTER TABLE runs_versions
    ADD COLUMN file_alignment_smallest_bytes Nullable(Float64) COMMENT 'smallest POSIX_FILE_ALIGNMENT, listed (B)',
    ADD COLUMN stripe_size_smallest_bytes Nullable(Float64) COMMENT 'of the striped file with the smallest stripes (B)',
    ADD COLUMN stripe_size_largest_bytes Nullable(Float64) COMMENT 'of the striped file with the largest stripes (B)',
    ADD COLUMN filesystems Array(LowCardinality(String)) COMMENT 'ids of the listed file systems that it used',
    ADD COLUMN filesystem_reads Array(Nullable(Float64)) COMMENT 'reads of each of filesystems',
    ADD COLUMN filesystem_writes Array(Nullable(Float64)) COMMENT 'writes of each of filesystems',
    ADD COLUMN filesystem_small_and_unaligned_writes Array(Nullable(Float64)) COMMENT 'small_and_unaligned_writes of each of filesystems',
    ADD COLUMN filesystem_small_and_unaligned_writes_upper Array(Nullable(Float64)) COMMENT 'small_and_unaligned_writes_upper of each of filesystems',
    ADD COLUMN filesystem_small_and_unaligned_write_share Array(Nullable(Float64)) COMMENT 'small_and_unaligned_write_share of each of filesystems',
    ADD COLUMN filesystem_surely_unaligned_requests Array(Nullable(Float64)) COMMENT 'surely_unaligned_requests of each of filesystems',
    ADD COLUMN filesystem_unaligned_share Array(Nullable(Float64)) COMMENT 'unaligned_share of each of filesystems',
    ADD COLUMN filesystem_file_alignment_bytes Array(Nullable(Float64)) COMMENT 'file_alignment_bytes of each of filesystems',
    ADD COLUMN filesystem_file_alignment_smallest_bytes Array(Nullable(Float64)) COMMENT 'file_alignment_smallest_bytes of each of filesystems',
    ADD COLUMN filesystem_stripe_size_bytes Array(Nullable(Float64)) COMMENT 'stripe_size_bytes of each of filesystems',
    ADD COLUMN filesystem_stripe_size_smallest_bytes Array(Nullable(Float64)) COMMENT 'stripe_size_smallest_bytes of each of filesystems',
    ADD COLUMN filesystem_stripe_size_largest_bytes Array(Nullable(Float64)) COMMENT 'stripe_size_largest_bytes of each of filesystems';

DROP VIEW runs;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
