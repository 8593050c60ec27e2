INSERT INTO runs_versions
    (cluster, log_id, job_id, job_uid, job_join, user, account, partition, uid, exe, program, file_name, log_state, modules,
    nprocs, nodes, run_nodes, start_time, end_time, run_time_seconds, filesystem, bytes_read, bytes_written,
    application_bytes, files, io_time_seconds, mib_per_second, mib_per_second_per_node, io_share, metadata_share, opens,
    reads, writes, small_reads, small_writes, load_state, load_util_mean, time_lost_seconds, node_hours_lost, slow, verdict,
    verdict_reason, findings, revision, version, is_deleted, origin, landed_at)
SELECT
    'history', id, job_number, concat('j', id), if(h % 50 = 0, 'not_joinable', 'joined'), owner, project, 'batch',
    60000 + user_number, binary, binary, concat(owner, '_', id, '.darshan'), if(h % 40 = 0, 'partial', 'complete'),
    ['POSIX', 'STDIO'], processes, width, width, began, began + toIntervalSecond(duration), duration, home,
    intDiv(moved, 3), moved - intDiv(moved, 3), moved, 1 + h % 500, duration * (intDiv(h, 31) % 100) / 200 AS io,
    moved / 1048576 / greatest(io, 0.001) AS rate, rate / width, io / duration, (intDiv(h, 37) % 100) / 100, 1 + h % 5000,
    h % 100000, h % 70000, h % 50000, h % 30000, if(h % 5 = 0, 'incomplete', 'closed'), (intDiv(h, 41) % 100) / 100, io / 3,
    if(was_slow, io * width / 10800 * $edition, 0), was_slow, judged, '', held, 9, $edition,
    h % 200 = 0 AND $edition = 2, 'live', began
FROM ($numbered)
