-- Files of a user have a number, as the engine adds up by it four times as fast as by names; their names are looked up last, and
-- of the files that are shown alone. That any two of a hundred million files have the same one has a probability of 0.0003.
ALTER TABLE user_file_totals_versions
    ADD COLUMN file UInt64 DEFAULT sipHash64(cluster, name) COMMENT 'sipHash64 of cluster and name' CODEC(NONE) AFTER hour;

-- Older rows have theirs worked out at each question until the engine has written it.
ALTER TABLE user_file_totals_versions MATERIALIZE COLUMN file;

CREATE OR REPLACE VIEW user_file_totals AS
WITH
    toStartOfHour(greatest({since:DateTime64(6, 'UTC')}, toDateTime64(1, 6, 'UTC')) + INTERVAL 1 HOUR - INTERVAL 1 MICROSECOND) AS first_hour,
    toStartOfHour(least({until:DateTime64(6, 'UTC')}, toDateTime64('2106-01-01', 6, 'UTC'))) AS end_hour,
    -- one value, so that it is looked up once: the hours whose totals count, with their builds, and the other hours
    (
        SELECT (groupArrayIf((hour, built_at), is_current), groupArrayIf(toDateTime(hour), NOT is_current))
        FROM hours_with_totals
        WHERE hour >= first_hour AND hour < end_hour
    ) AS hours
SELECT
    cluster,
    user,
    hour AS time,
    file,
    name,
    logs,
    logs_that_wrote,
    bytes_read,
    bytes_written,
    extent_bytes
FROM user_file_totals_versions
WHERE user = {user:String} AND hour >= first_hour AND hour < end_hour AND (hour, built_at) IN hours.1
UNION ALL
SELECT
    cluster,
    {user:String} AS user,
    start_time AS time,
    sipHash64(cluster, name) AS file,
    name,
    [sipHash64(log_id)] AS logs,
    max(ifNull(record.bytes_written > 0, 0)) AS logs_that_wrote,
    ifNull(sum(record.bytes_read), 0) AS bytes_read,
    ifNull(sum(record.bytes_written), 0) AS bytes_written,
    ifNull(max(record.extent_bytes), 0) AS extent_bytes
FROM file_records AS record
WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
    AND (start_time < first_hour OR start_time >= end_hour OR toStartOfHour(start_time) IN hours.2)
    AND (cluster, start_time, log_id) IN
    (
        SELECT cluster, start_time, log_id
        FROM runs
        WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
            AND (start_time < first_hour OR start_time >= end_hour OR toStartOfHour(start_time) IN hours.2)
            AND user = {user:String}
    )
GROUP BY cluster, start_time, log_id, name;

ALTER TABLE user_file_totals MODIFY COMMENT 'A file and a run of the user that is asked for, or all such runs of a whole hour of the range: no run of a file is in two rows.';
