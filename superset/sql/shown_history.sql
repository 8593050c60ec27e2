-- Runs of the same user and program on the same file system, from 30 days before this one, or the job's busiest, to 15 days after.
{% set near = 'cluster = this.cluster AND start_time > this.time - INTERVAL 30 DAY AND start_time < this.time + INTERVAL 15 DAY' -%}
{#- By the table's name, as in WHERE the engine takes a name that SELECT gives anew for what it stands for there. #}
{% set alike = "ifNull(each.user, '') = this.user AND each.program = this.program
            AND ifNull(each.filesystem, '') = this.filesystem AND each.direction = this.direction" -%}
WITH
    shown AS
    (
        SELECT cluster, log_id, start_time, user, program, filesystem, direction
        FROM runs
        WHERE {{ shown_best }}
    ),
    (
        SELECT
            toNullable(any(start_time)) AS time,
            any(cluster) AS cluster,
            ifNull(any(user), '') AS user,
            any(program) AS program,
            ifNull(any(filesystem), '') AS filesystem,
            any(direction) AS direction
        FROM shown
    ) AS this,
    -- The newest version of each run that began when one did that any version calls alike: the engine need not merge all other runs.
    versions AS
    (
        SELECT *
        FROM runs_versions
        WHERE {{ near }} AND start_time IN (SELECT start_time FROM runs_versions AS each WHERE {{ near }} AND {{ alike }})
        ORDER BY version DESC
        LIMIT 1 BY start_time, log_id
    )
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    ifNull(account, '(unknown)') AS account,
    cluster,
    log_id,
    substring(log_id, 1, 8) AS log,
    if(log_id IN (SELECT log_id FROM shown), 'this run', if(slow, 'other runs, slow', 'other runs')) AS which,
    nprocs,
    bytes_read,
    bytes_written,
    io_time_seconds,
    mib_per_second,
    node_hours_lost,
    replaceAll(verdict, '_', ' ') AS verdict,
    arrayStringConcat(findings, ', ') AS findings
FROM versions AS each
WHERE is_deleted = 0 AND {{ alike }} AND mib_per_second > 0
-- of more runs than a chart shows the nearest in time, and always this one
ORDER BY which = 'this run' DESC, abs(dateDiff('second', start_time, this.time)), log_id
LIMIT 1000
