INSERT INTO runs_versions
    (cluster, log_id, job_id, job_uid, job_join, user, account, partition, uid, exe, program, file_name, log_state, modules,
    nprocs, nodes, run_nodes, start_time, end_time, run_time_seconds, filesystem, bytes_read, bytes_written,
    application_bytes, files, io_time_seconds, mib_per_second, mib_per_second_per_node, io_share, metadata_share, opens,
    reads, writes, small_reads, small_writes, load_state, load_util_mean, time_lost_seconds, node_hours_lost, slow, verdict,
    load_devices, load_busiest_device, slowest_target, slowest_target_ratio, data_files, mean_data_file_bytes,
    unique_files, partial_files, shared_files, unique_file_bytes, partial_file_bytes, shared_file_bytes, reread_bytes,
    posix_size_read_0_100, posix_size_read_100_1k, posix_size_read_1k_10k, posix_size_read_10k_100k,
    posix_size_read_100k_1m, posix_size_read_1m_4m, posix_size_read_4m_10m, posix_size_read_10m_100m,
    posix_size_read_100m_1g, posix_size_read_1g_plus, posix_size_write_0_100, posix_size_write_100_1k,
    posix_size_write_1k_10k, posix_size_write_10k_100k, posix_size_write_100k_1m, posix_size_write_1m_4m,
    posix_size_write_4m_10m, posix_size_write_10m_100m, posix_size_write_100m_1g, posix_size_write_1g_plus,
    verdict_reason, findings, revision, version, is_deleted, origin, landed_at)
SELECT
    'history', id, job_number, concat('j', id), if(h % 50 = 0, 'not_joinable', 'joined'), owner, project, 'batch',
    60000 + user_number, binary, binary, concat(owner, '_', id, '.darshan'), if(h % 40 = 0, 'partial', 'complete'),
    ['POSIX', 'STDIO'], processes, width, width, began, began + toIntervalSecond(duration), duration, home,
    intDiv(moved, 3), moved - intDiv(moved, 3), moved, 1 + h % 500, duration * (intDiv(h, 31) % 100) / 200 AS io,
    moved / 1048576 / greatest(io, 0.001) AS rate, rate / width, io / duration, (intDiv(h, 37) % 100) / 100, 1 + h % 5000,
    h % 100000, h % 70000, h % 50000, h % 30000, if(h % 5 = 0, 'incomplete', 'closed'), (intDiv(h, 41) % 100) / 100, io / 3,
    if(was_slow, io * width / 10800 * $edition, 0), was_slow, judged,
    arrayMap(target -> concat('ost', toString((h + 250 * target) % 1000)), range(1 + h % 4)), if(h % 3 = 0, 'ost1', NULL), h % 1000,
    (h % 100) / 100, 1 + h % 500, intDiv(moved, 1 + h % 500), h % 400, h % 50, h % 50, intDiv(moved, 2), 0, intDiv(moved, 2), h % 1000,
    h % 900, h % 860, h % 820, h % 780, h % 740, h % 700, h % 660, h % 620, h % 580, h % 540, h % 500, h % 460, h %
    420, h % 380, h % 340, h % 300, h % 260, h % 220, h % 180, h % 140,
    '', held, 9, $edition,
    h % 200 = 0 AND $edition = 2, 'live', began
FROM ($numbered)
