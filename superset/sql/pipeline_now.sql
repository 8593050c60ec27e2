-- What each metric came to last, within the last day of what there is; counters restart with their process.
WITH (SELECT least(max(time), toDateTime64('{{ until }}', 6, 'UTC')) FROM pipeline_metrics) AS newest
SELECT max(pipeline_metrics.time) AS time, metric, job, part, argMax(value, pipeline_metrics.time) AS value
FROM pipeline_metrics
WHERE metric IN ('answers', 'heap_bytes', 'restarts', 'messages_refused', 'sources_in_quarantine', 'partitions_paused', 'checkpoints_failed', 'insert_retries', 'logs_without_header', 'ticks_late', 'ticks_too_late', 'ticks_too_long', 'days_without_totals', 'refreshes_failing', 'lag_messages')
    AND pipeline_metrics.time > newest - INTERVAL 1 DAY
    AND pipeline_metrics.time >= '{{ since }}' AND pipeline_metrics.time < '{{ until }}'
GROUP BY metric, job, part
