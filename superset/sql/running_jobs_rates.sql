-- Bytes of the jobs that moved most, in the buckets in which they moved them. A job has a count on each target and, where its key
-- names the node, for each node.
{{ moved_over_time(
    'job_live_versions', 'job', job_and_task('array_index'), 'cluster, job_id, array_index', 'server, target, job_key'
) }}
