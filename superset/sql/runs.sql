WITH
    (SELECT {{ finest(60, 'start_time') }} FROM runs_versions) AS width
SELECT
    start_time AS time,
    ifNull(user, '(unknown)') AS user,
    cluster,
    ifNull(account, '(unknown)') AS account,
    toString(job_id) AS job,
    exe,
    ifNull(filesystem, '(none)') AS filesystem,
    toStartOfInterval(start_time, toIntervalSecond(width)) AS bucket,
    log_id,
    job_uid,
    substring(log_id, 1, 8) AS log,
    job_join,
    log_state,
    nprocs,
    run_nodes,
    nodes,
    run_time_seconds,
    bytes_read,
    bytes_written,
    io_time_seconds,
    mib_per_second,
    mib_per_second_per_node,
    -- the bin that a bar of the page counts the run in
    if(mib_per_second > 0, roundDown(assumeNotNull(mib_per_second), {{ rate_bins }}), NULL) AS mib_per_second_from,
    -- not least(), which passes over what is not known
    if(runs.io_share > 1, 1, runs.io_share) AS io_share,
    if(io_share IS NULL, NULL, least(9, floor(10 * io_share)) / 10) AS io_share_from,
    metadata_share,
    time_lost_seconds,
    node_hours_lost,
    ifNull(slow, 0) AS slow,
    replaceAll(verdict, '_', ' ') AS verdict,
    verdict_reason,
    arrayStringConcat(findings, ', ') AS findings
FROM runs
WHERE start_time >= '{{ since }}' AND start_time < '{{ until }}' AND {{ of_center_in('runs_versions') }}
