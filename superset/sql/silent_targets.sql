-- Lustre targets that no server counted for five minutes or longer, until the newest count that the center sent of any.
WITH
    (SELECT {{ finest(120, 'time', least=60) }} FROM target_live_versions) AS width,
    -- the first look of each interval, as the chart of throughput reads them: two of these lie less than two intervals apart
    greatest(300, 2 * width) AS patience,
    seen AS
    (
        SELECT
            cluster,
            target,
            toUnixTimestamp(min(target_live_versions.time)) AS at,
            argMin(server, target_live_versions.time) AS counted_by
        FROM target_live_versions
        WHERE is_deleted = 0 AND time >= '{{ since }}' AND time < '{{ until }}' AND {{ of_center }} AND toUnixTimestamp(time) % width < greatest(60, width / 10)
        GROUP BY cluster, target, intDiv(toUnixTimestamp(target_live_versions.time), width)
    ),
    targets AS
    (
        SELECT cluster, target, arraySort(groupArray((at, counted_by))) AS looks, max(max(at)) OVER (PARTITION BY cluster) AS newest
        FROM seen
        GROUP BY cluster, target
    ),
    silences AS
    (
        SELECT
            cluster,
            target,
            arrayFilter(
                silence -> silence.3 - silence.1 >= patience,
                arrayMap(
                    (look, next) -> (look.1, look.2, next),
                    looks,
                    arrayPushBack(arrayPopFront(arrayMap(look -> look.1, looks)), newest)
                )
            ) AS of_target
        FROM targets
    )
SELECT
    toDateTime(bucket * width, 'UTC') AS time,
    cluster,
    target,
    silence.2 AS server,
    toDateTime(silence.1, 'UTC') AS silent_since,
    (silence.3 - silence.1) / 60 AS minutes
FROM silences
ARRAY JOIN of_target AS silence
ARRAY JOIN range(toUInt64(intDiv(silence.1, width)) + 1, toUInt64(intDiv(silence.3, width)) + 1) AS bucket
