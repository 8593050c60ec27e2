-- Lustre targets that were counted in the range, or in as long a time before it, and then by no server for five minutes or, if that is longer, two intervals.
-- One that is silent still is so until the newest count that its center sent of any.
WITH
    assumeNotNull((SELECT {{ finest(120, 'time', least=60) }} FROM target_live_versions)) AS width,
    toDateTime64('{{ since }}', 6, 'UTC') AS range_begin,
    intDiv(toUnixTimestamp(range_begin), width) AS first,
    targets AS
    (
        SELECT
            cluster,
            target,
            -- the intervals in which somebody looked; of long ones their begin is read, as for the chart of throughput
            arraySort(groupUniqArray(intDiv(toUnixTimestamp(time), width))) AS looks,
            max(max(intDiv(toUnixTimestamp(time), width))) OVER (PARTITION BY cluster) AS newest,
            -- the first interval without a look, and the first with one again
            arrayFilter(
                silence -> (silence.2 - silence.1) * width >= greatest(300, 2 * width),
                arrayMap((look, next) -> (look + 1, next), looks, arrayPushBack(arrayPopFront(looks), newest + 1))
            ) AS silences
        FROM target_live_versions
        WHERE is_deleted = 0 AND time >= range_begin - toIntervalSecond(dateDiff('second', range_begin, least(toDateTime64('{{ until }}', 6, 'UTC'), now64(6)))) AND time < '{{ until }}' AND {{ of_center }} AND toUnixTimestamp(time) % width < greatest(60, width / 10)
        GROUP BY cluster, target
    ),
    ranked AS
    (
        SELECT
            cluster,
            target,
            arrayFilter(
                silence -> silence.1 < silence.2, arrayMap(silence -> (greatest(silence.1, first), silence.2), silences)
            ) AS in_range,
            row_number() OVER (ORDER BY arraySum(silence -> silence.2 - silence.1, in_range) DESC, cluster, target) AS rank
        FROM targets
        WHERE {{ of_target() }}
    )
SELECT
    toDateTime(bucket * width, 'UTC') AS time,
    cluster,
    if(rank <= 11, ranked.target, 'others') AS target
FROM ranked
ARRAY JOIN in_range AS silence
ARRAY JOIN range(silence.1, silence.2) AS bucket
