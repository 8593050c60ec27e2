-- Bytes of the targets that moved most, in the buckets in which they moved them. Not from target_live_rates, which reads all
-- days for that.
{{ moved_over_time('target_live_versions', 'target', 'target', 'cluster, target', 'server', of_target(), lasts=true) }}
