INSERT INTO scheduler_jobs_versions
    (cluster, job_uid, job_id, job_display_id, user, account, partition, job_name, state, state_rank, submit_time, start_time,
    end_time, nodes, cpus, node_list, version, is_deleted, origin, landed_at)
SELECT
    'history', concat('j', id), job_number, toString(job_number), owner, project, 'batch', binary,
    ['COMPLETED', 'FAILED', 'TIMEOUT'][1 + if(h % 30 < 2, h % 30 + 1, 0)], 3, began - toIntervalSecond(queued), began,
    began + toIntervalSecond(duration), width, processes, '', $edition, 0, 'live', began
FROM ($numbered)
