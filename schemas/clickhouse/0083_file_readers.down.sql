DROP VIEW IF EXISTS file_reader_totals;

DROP TABLE IF EXISTS hours_of_totals_build;

DROP TABLE IF EXISTS file_totals_build;

DROP TABLE IF EXISTS file_reader_totals_landed;

DROP TABLE IF EXISTS user_file_totals_landed;

DROP TABLE IF EXISTS file_totals_built;

DROP VIEW IF EXISTS file_records_to_total;

DROP TABLE IF EXISTS file_reader_totals_versions SETTINGS max_table_size_to_drop = 0;

DROP TABLE IF EXISTS user_file_totals_build;

CREATE VIEW file_records_to_total AS
SELECT cluster, user, toStartOfHour(start_time) AS hour, log_id, name, bytes_read, bytes_written, extent_bytes
FROM
(
    SELECT cluster, start_time, log_id, name, bytes_read, bytes_written, extent_bytes
    FROM file_records
    WHERE toStartOfHour(start_time) IN (SELECT toDateTime(hour) FROM hours_to_total)
) AS record
INNER JOIN
(
    SELECT cluster, start_time, log_id, assumeNotNull(runs.user) AS user
    FROM runs
    WHERE toStartOfHour(start_time) IN (SELECT toDateTime(hour) FROM hours_to_total) AND runs.user IS NOT NULL
) AS run USING (cluster, start_time, log_id);

CREATE MATERIALIZED VIEW user_file_totals_build REFRESH EVERY 5 MINUTE APPEND TO user_file_totals_versions AS
SELECT
    each.cluster AS cluster,
    each.user AS user,
    each.hour AS hour,
    each.name AS name,
    arrayDistinct(groupArray(sipHash64(each.log_id))) AS logs,
    length(arrayDistinct(groupArrayIf(sipHash64(each.log_id), each.bytes_written > 0))) AS logs_that_wrote,
    ifNull(sum(each.bytes_read), 0) AS bytes_read,
    ifNull(sum(each.bytes_written), 0) AS bytes_written,
    ifNull(max(each.extent_bytes), 0) AS extent_bytes,
    count() AS records,
    now64(6, 'UTC') AS built_at
FROM file_records_to_total AS each
GROUP BY cluster, user, hour, name
-- four million files take several GB, and less than one with what is beyond this on disk
SETTINGS max_bytes_before_external_group_by = 500000000;

-- A build counts once it has all records of its hour; an hour without records of a known user's run has none to build.
CREATE MATERIALIZED VIEW hours_of_totals_build REFRESH EVERY 5 MINUTE DEPENDS ON user_file_totals_build APPEND TO hours_of_totals AS
SELECT hour, max(built) AS built_at
FROM
(
    SELECT hour, built_at AS built, sum(records) AS added
    FROM user_file_totals_versions
    WHERE hour IN (SELECT hour FROM hours_to_total)
    GROUP BY hour, built
    UNION ALL
    SELECT hour, now64(6, 'UTC') AS built, 0 AS added FROM hours_to_total
) AS build
LEFT JOIN (SELECT hour, count() AS records FROM file_records_to_total GROUP BY hour) AS there USING (hour)
WHERE added = there.records
GROUP BY hour;

ALTER TABLE hours_of_totals MODIFY COMMENT 'An hour of user_file_totals, in parts: hours_with_totals adds them up.';

ALTER TABLE hours_with_totals MODIFY COMMENT 'An hour of user_file_totals, and whether its totals are read.';
