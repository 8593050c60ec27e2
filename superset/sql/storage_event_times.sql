-- How many servers, devices and file systems were in trouble in each interval.
WITH
    toDateTime64('{{ since }}', 6, 'UTC') AS range_begin,
    least(toDateTime64('{{ until }}', 6, 'UTC'), now64(6)) AS range_end,
    -- few rows, which no time can tell apart in the table: they are read as a whole
    events AS
    (
        SELECT
            cluster,
            concat(kind, ' ', if(subject_kind = 'filesystem', 'file system', subject_kind)) AS trouble,
            subject,
            if(subject_kind = 'server', subject, storage_events.server) AS at_server,
            filesystem,
            toUnixTimestamp64Milli(greatest(since, range_begin)) AS began,
            toUnixTimestamp64Milli(least(ifNull(ended, range_end), range_end)) AS till
        FROM storage_events
        WHERE since < range_end AND {{ of_center }} AND (ended >= range_begin OR ended IS NULL) AND {{ of_filesystem_or_unknown() }}
    ),
    -- the finest bucket with which what there is in the range still fits on the axis
    (
        SELECT
            1000 * arrayFirst(
                seconds -> max(till) - min(began) <= 120000 * seconds,
                {{ intervals }}
            )
        FROM events
    ) AS width_millis
SELECT
    toDateTime(intDiv(bucket * width_millis, 1000), 'UTC') AS time,
    cluster,
    trouble,
    at_server AS server,
    filesystem,
    subject
FROM events
ARRAY JOIN range(toUInt64(intDiv(began, width_millis)), toUInt64(intDiv(till, width_millis)) + 1) AS bucket
