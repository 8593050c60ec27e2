-- 150 series, a value every 15 s.
INSERT INTO pipeline_metrics (time, metric, job, part, value)
SELECT
    toDateTime64('$start', 6, 'UTC') + toIntervalSecond(15 * (number % intDiv($seconds, 15))),
    [
        'busy_share', 'backpressured_share', 'state_bytes', 'checkpoint_seconds', 'lag_messages', 'restarts', 'heap_bytes',
        'answers', 'insert_retries', 'checkpoints_failed'
    ][1 + intDiv(series, 15)],
    concat('job', toString(series % 3)), concat('part', toString(series % 15)), number % 100
FROM (SELECT number, intDiv(number, intDiv($seconds, 15)) AS series FROM numbers(150 * intDiv($seconds, 15)))
