-- Findings with what their runs lost, whole days added up. Several findings of a run share its loss, so that sums over
-- rules do not add up.
WITH
    -- days up to a month of what there is in the range, weeks up to half a year, else months; the first and last times of
    -- a table stand in its parts, nothing is read
    (
        SELECT dateDiff('day', greatest(min(start_time), toDateTime64('{{ since }}', 6, 'UTC')), least(max(start_time), toDateTime64('{{ until }}', 6, 'UTC')))
        FROM findings_versions
    ) AS days
SELECT
    time,
    toDateTime(multiIf(days <= 31, toStartOfDay(time), days <= 183, toStartOfWeek(time, 1), toStartOfMonth(time)), 'UTC') AS period,
    cluster,
    user,
    account,
    filesystem,
    program,
    rule_id AS rule,
    title,
    findings,
    node_hours_lost AS lost
FROM finding_totals(since = '{{ since }}', until = '{{ until }}')
WHERE {{ of_center }}
