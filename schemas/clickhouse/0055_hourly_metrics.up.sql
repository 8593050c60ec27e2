-- Hours of what the pipeline says of itself: a month of landings is tens of millions of rows. Views that follow inserts are
-- right here, as no row of these two tables is ever corrected; elsewhere they would count twice.
CREATE TABLE landings_hourly
(
    cluster LowCardinality(String),
    table LowCardinality(String),
    hour_start DateTime64(6, 'UTC'),
    inserts SimpleAggregateFunction(sum, UInt64),
    rows SimpleAggregateFunction(sum, UInt64),
    delay_seconds AggregateFunction(quantilesTDigest(0.5, 0.99), Float64) COMMENT 'from the oldest message behind an insert to its rows in the table; quantilesTDigestMerge(0.5, 0.99)',
    max_delay_seconds SimpleAggregateFunction(max, Float64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour_start)
ORDER BY (table, hour_start, cluster)
TTL toDateTime(hour_start) + INTERVAL 90 DAY;

CREATE MATERIALIZED VIEW landings_by_hour TO landings_hourly AS
SELECT
    cluster,
    table,
    toDateTime64(toStartOfHour(landed_at), 6, 'UTC') AS hour_start,
    count() AS inserts,
    sum(rows) AS rows,
    quantilesTDigestState(0.5, 0.99)(toFloat64(dateDiff('millisecond', oldest_sent_at, landed_at)) / 1000) AS delay_seconds,
    max(toFloat64(dateDiff('millisecond', oldest_sent_at, landed_at)) / 1000) AS max_delay_seconds
FROM landings
GROUP BY cluster, table, hour_start;

INSERT INTO landings_hourly
SELECT
    cluster,
    table,
    toDateTime64(toStartOfHour(landed_at), 6, 'UTC') AS hour_start,
    count() AS inserts,
    sum(rows) AS rows,
    quantilesTDigestState(0.5, 0.99)(toFloat64(dateDiff('millisecond', oldest_sent_at, landed_at)) / 1000) AS delay_seconds,
    max(toFloat64(dateDiff('millisecond', oldest_sent_at, landed_at)) / 1000) AS max_delay_seconds
FROM landings
GROUP BY cluster, table, hour_start;

CREATE TABLE pipeline_metrics_hourly
(
    hour_start DateTime64(6, 'UTC'),
    metric LowCardinality(String),
    job LowCardinality(String),
    part LowCardinality(String),
    max_value SimpleAggregateFunction(max, Float64)
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour_start)
ORDER BY (metric, job, part, hour_start)
TTL toDateTime(hour_start) + INTERVAL 90 DAY;

CREATE MATERIALIZED VIEW pipeline_metrics_by_hour TO pipeline_metrics_hourly AS
SELECT toDateTime64(toStartOfHour(time), 6, 'UTC') AS hour_start, metric, job, part, max(value) AS max_value
FROM pipeline_metrics
GROUP BY hour_start, metric, job, part;

INSERT INTO pipeline_metrics_hourly
SELECT toDateTime64(toStartOfHour(time), 6, 'UTC') AS hour_start, metric, job, part, max(value) AS max_value
FROM pipeline_metrics
GROUP BY hour_start, metric, job, part;
