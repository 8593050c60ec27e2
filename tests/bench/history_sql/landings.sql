INSERT INTO landings (cluster, table, rows, oldest_sent_at, landed_at)
SELECT
    'history', concat('table', toString(intDiv(number, $seconds))), 1000, landed - toIntervalMillisecond(number % 3000),
    toDateTime64('$start', 6, 'UTC') + toIntervalSecond(number % $seconds) AS landed
FROM numbers(10 * $seconds)
