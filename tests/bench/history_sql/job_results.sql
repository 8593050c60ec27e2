INSERT INTO job_results_versions
    (cluster, job_uid, job_id, user, account, partition, job_name, state, submit_time, start_time, end_time, nodes, settled,
    logs_analysed, logs_expected, bytes_read, bytes_written, io_time_seconds, node_hours, node_hours_lost, verdict, findings,
    traits, executables, filesystems, revision, version, is_deleted, origin, landed_at, coverage)
SELECT
    'history', concat('j', id), job_number, owner, project, 'batch', binary, if(h % 30 = 0, 'FAILED', 'COMPLETED'),
    began - toIntervalSecond(queued), began, began + toIntervalSecond(duration), width, 1, 1, 1, intDiv(moved, 3),
    moved - intDiv(moved, 3), duration * (intDiv(h, 31) % 100) / 200, duration * width / 3600,
    if(was_slow, duration * width / 36000 * $edition, 0), judged, held, [], [binary], [home], 9, $edition, 0, 'live', began,
    if(h % 20 = 0, 'none', 'full')
FROM ($numbered)
