/*
title: How much jobs share Lustre targets
question: In which hours did files of running jobs share storage targets most, and how much sharing would chance alone
  give?
note: Counted are the targets of the files that runs of the hour had, as the LUSTRE module lists them. They
  count on the file system where most bytes of the run went, those of another one of Lustre too; a file of two runs counts
  for each of them. Of n files with R stripes each on D targets
  chance leaves D - D(1 - R/D)^n in use. Runs that began before the range are left out. Reads the stripes of the months of
  the range, which are kept for a year.
source: Wright, D_inuse and D_load
days: 1
parameters:
  targets: {type: UInt32, default: 0, meaning: how many targets each file system has; 0 takes the highest number seen}
  limit: {type: UInt32, default: 20, meaning: how many hours}
example: |
  cluster,filesystem,hour,files,stripes,targets_in_use,stripes_per_target,targets_in_use_by_chance,stripes_per_target_by_chance
  c,scratch,2026-05-10 10:00:00,3,6,4,1.5,3.5,1.71
  c,scratch,2026-05-10 11:00:00,2,4,3,1.33,3,1.33
*/
WITH
    active AS
    (
        SELECT
            cluster,
            log_id,
            filesystem,
            start_time,
            -- a run that was killed has no end: its last I/O is known
            if(
                end_time >= start_time,
                toFloat64(dateDiff('second', start_time, least(end_time, {until:DateTime64(6, 'UTC')}))),
                ifNull(last_io_seconds, 0)
            ) AS known_seconds,
            -- a log can say any number
            -- of an hour that begins as the run ends it fills nothing
            if(known_seconds BETWEEN 1 AND 1e8, toUInt32(known_seconds - 1), 0) AS seconds
        FROM runs
        WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
            AND {cluster:String} IN ('', cluster) AND lustre_files > 0
    ),
    -- A stripe counts once however often it was sent: as a log's id is the hash of its bytes, its stripes never change.
    -- Those of a log that was taken back meet no run.
    placed AS
    (
        SELECT
            cluster,
            log_id,
            uniqExact(record_id) AS files,
            uniqExact(record_id, OST_ID) AS stripes,
            groupUniqArray(OST_ID) AS targets
        FROM lustre_stripes_versions
        WHERE start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
            AND {cluster:String} IN ('', cluster) AND OST_ID >= 0
        GROUP BY cluster, log_id
    ),
    hours AS
    (
        SELECT
            cluster,
            filesystem,
            arrayJoin(arrayFilter(slot -> slot < {until:DateTime64(6, 'UTC')}, timeSlots(toDateTime(start_time), seconds, 3600))) AS hour,
            sum(placed.files) AS files,
            sum(placed.stripes) AS stripes,
            length(groupUniqArrayArray(targets)) AS in_use,
            max(max(arrayMax(targets))) OVER (PARTITION BY cluster, filesystem) AS highest,
            toFloat64(if({targets:UInt32} = 0, highest + 1, {targets:UInt32})) AS all_targets,
            all_targets * (1 - pow(1 - least(stripes / files, all_targets) / all_targets, files)) AS in_use_by_chance
        FROM active
        INNER JOIN placed USING (cluster, log_id)
        GROUP BY cluster, filesystem, hour
    )
SELECT
    cluster,
    filesystem,
    hour,
    files,
    stripes,
    in_use AS targets_in_use,
    round(stripes / in_use, 2) AS stripes_per_target,
    round(in_use_by_chance, 1) AS targets_in_use_by_chance,
    round(stripes / in_use_by_chance, 2) AS stripes_per_target_by_chance
FROM hours
ORDER BY stripes / in_use DESC, cluster, filesystem, hour
LIMIT {limit:UInt32}
