-- What each process moved in twenty of the bins in which Darshan counts a run's time.
INSERT INTO heatmap_bins_versions
    (cluster, log_id, job_id, start_time, record_id, rank, name, module_version, BIN, BYTES_READ, BYTES_WRITTEN,
    BIN_WIDTH_SECONDS, version, is_deleted, origin, landed_at)
SELECT
    'history', id, job_number, began, 1, process, 'heatmap:POSIX', 1, bin, cityHash64(h, process, bin) % 268435456,
    cityHash64(h, bin, process) % 268435456, pow(2, ceil(log2(duration / 200))), 1, 0, 'live', began
FROM ($numbered)
ARRAY JOIN range(processes) AS process
ARRAY JOIN arrayMap(each -> 5 * each, range(20)) AS bin
