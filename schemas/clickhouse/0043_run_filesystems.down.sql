DROP VIEW IF EXISTS runs;

ALTER TABLE runs_versions
    DROP COLUMN IF EXISTS file_alignment_smallest_bytes,
    DROP COLUMN IF EXISTS stripe_size_smallest_bytes,
    DROP COLUMN IF EXISTS stripe_size_largest_bytes,
    DROP COLUMN IF EXISTS filesystems,
    DROP COLUMN IF EXISTS filesystem_reads,
    DROP COLUMN IF EXISTS filesystem_writes,
    DROP COLUMN IF EXISTS filesystem_small_and_unaligned_writes,
    DROP COLUMN IF EXISTS filesystem_small_and_unaligned_writes_upper,
    DROP COLUMN IF EXISTS filesystem_small_and_unaligned_write_share,
    DROP COLUMN IF EXISTS filesystem_surely_unaligned_requests,
    DROP COLUMN IF EXISTS filesystem_unaligned_share,
    DROP COLUMN IF EXISTS filesystem_file_alignment_bytes,
    DROP COLUMN IF EXISTS filesystem_file_alignment_smallest_bytes,
    DROP COLUMN IF EXISTS filesystem_stripe_size_bytes,
    DROP COLUMN IF EXISTS filesystem_stripe_size_smallest_bytes,
    DROP COLUMN IF EXISTS filesystem_stripe_size_largest_bytes;

CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL;
