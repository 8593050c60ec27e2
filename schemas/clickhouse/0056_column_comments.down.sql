ALTER TABLE target_live_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN server '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE target_io_sizes_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN server '',
    COMMENT COLUMN disk_writes '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE superseded_logs_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE storage_events_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN numbers '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE stdio_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE server_load_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN server '',
    COMMENT COLUMN bucket_start '',
    COMMENT COLUMN bucket_seconds '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN util_p95 '',
    COMMENT COLUMN util_max '',
    COMMENT COLUMN write_wait_seconds '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE server_load_hourly_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN server '',
    COMMENT COLUMN hour_start '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN write_wait_seconds '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE scheduler_jobs_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN job_uid '',
    COMMENT COLUMN job_display_id '',
    COMMENT COLUMN array_id '',
    COMMENT COLUMN array_index '',
    COMMENT COLUMN `user` '',
    COMMENT COLUMN uid '',
    COMMENT COLUMN `partition` '',
    COMMENT COLUMN qos '',
    COMMENT COLUMN job_name '',
    COMMENT COLUMN state '',
    COMMENT COLUMN exit_code '',
    COMMENT COLUMN exit_signal '',
    COMMENT COLUMN submit_time '',
    COMMENT COLUMN start_time '',
    COMMENT COLUMN end_time '',
    COMMENT COLUMN cpus '',
    COMMENT COLUMN node_list '',
    COMMENT COLUMN time_limit_seconds '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE runs_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN job_uid '',
    COMMENT COLUMN job_join_reason '',
    COMMENT COLUMN `partition` '',
    COMMENT COLUMN job_name '',
    COMMENT COLUMN job_state '',
    COMMENT COLUMN exe_hash '',
    COMMENT COLUMN file_name '',
    COMMENT COLUMN log_version '',
    COMMENT COLUMN modules '',
    COMMENT COLUMN start_time '',
    COMMENT COLUMN end_time '',
    COMMENT COLUMN load_buckets_expected '',
    COMMENT COLUMN load_buckets_closed '',
    COMMENT COLUMN load_util_max '',
    COMMENT COLUMN node_hours_lost '',
    COMMENT COLUMN verdict_reason '',
    COMMENT COLUMN version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE producer_ledger_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN producer '',
    COMMENT COLUMN `count` '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN landed_at '';

ALTER TABLE posix_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE pnetcdf_var_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE pnetcdf_file_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE pipeline_restarts
    COMMENT COLUMN cause '';

ALTER TABLE pipeline_metrics_hourly
    COMMENT COLUMN hour_start '',
    COMMENT COLUMN metric '',
    COMMENT COLUMN job '',
    COMMENT COLUMN part '',
    COMMENT COLUMN max_value '';

ALTER TABLE pipeline_metrics
    COMMENT COLUMN `time` '',
    COMMENT COLUMN value '';

ALTER TABLE mpiio_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE lustre_stripes_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN job_id '',
    COMMENT COLUMN record_id '',
    COMMENT COLUMN rank '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE log_modules_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN records_expected '',
    COMMENT COLUMN records_read '',
    COMMENT COLUMN compressed_bytes '',
    COMMENT COLUMN reason '',
    COMMENT COLUMN version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE landings_hourly
    COMMENT COLUMN cluster '',
    COMMENT COLUMN `table` '',
    COMMENT COLUMN hour_start '',
    COMMENT COLUMN inserts '',
    COMMENT COLUMN `rows` '',
    COMMENT COLUMN max_delay_seconds '';

ALTER TABLE landings
    COMMENT COLUMN cluster '',
    COMMENT COLUMN `table` '',
    COMMENT COLUMN `rows` '',
    COMMENT COLUMN landed_at '';

ALTER TABLE job_results_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN job_uid '',
    COMMENT COLUMN job_id '',
    COMMENT COLUMN `user` '',
    COMMENT COLUMN account '',
    COMMENT COLUMN `partition` '',
    COMMENT COLUMN job_name '',
    COMMENT COLUMN state '',
    COMMENT COLUMN submit_time '',
    COMMENT COLUMN start_time '',
    COMMENT COLUMN end_time '',
    COMMENT COLUMN nodes '',
    COMMENT COLUMN settled '',
    COMMENT COLUMN logs_analysed '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN node_hours '',
    COMMENT COLUMN verdict '',
    COMMENT COLUMN verdict_reason '',
    COMMENT COLUMN findings '',
    COMMENT COLUMN revision '',
    COMMENT COLUMN version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '',
    COMMENT COLUMN coverage_reason '';

ALTER TABLE job_manifests_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN job_id '',
    COMMENT COLUMN job_uid '',
    COMMENT COLUMN scan_time '',
    COMMENT COLUMN `final` '',
    COMMENT COLUMN log_ids '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE job_live_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN job_id '',
    COMMENT COLUMN array_index '',
    COMMENT COLUMN server '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE heatmap_bins_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN job_id '',
    COMMENT COLUMN record_id '',
    COMMENT COLUMN rank '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE h5f_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE h5d_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE findings_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN rule_id '',
    COMMENT COLUMN title '',
    COMMENT COLUMN revision '',
    COMMENT COLUMN version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE filesystem_load_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN filesystem '',
    COMMENT COLUMN bucket_start '',
    COMMENT COLUMN bucket_seconds '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN util_p95 '',
    COMMENT COLUMN util_max '',
    COMMENT COLUMN write_wait_seconds '',
    COMMENT COLUMN servers_reported '',
    COMMENT COLUMN servers_expected '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE filesystem_load_hourly_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN filesystem '',
    COMMENT COLUMN hour_start '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN write_wait_seconds '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE dfs_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE device_samples_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN server '',
    COMMENT COLUMN device_name '',
    COMMENT COLUMN `time` '',
    COMMENT COLUMN interval_seconds '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN busy_seconds '',
    COMMENT COLUMN write_wait_seconds '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE device_load_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN device_id '',
    COMMENT COLUMN server '',
    COMMENT COLUMN bucket_start '',
    COMMENT COLUMN bucket_seconds '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN write_wait_seconds '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE device_load_hourly_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN device_id '',
    COMMENT COLUMN server '',
    COMMENT COLUMN hour_start '',
    COMMENT COLUMN bytes_read '',
    COMMENT COLUMN bytes_written '',
    COMMENT COLUMN writes '',
    COMMENT COLUMN write_wait_seconds '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE deliveries_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN alert '',
    COMMENT COLUMN unit '',
    COMMENT COLUMN cases '',
    COMMENT COLUMN attempts '',
    COMMENT COLUMN channel_addresses '',
    COMMENT COLUMN channel_states '',
    COMMENT COLUMN settled_at '',
    COMMENT COLUMN decided_at '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE dead_letters_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN id '',
    COMMENT COLUMN `source` '',
    COMMENT COLUMN reason '',
    COMMENT COLUMN topic '',
    COMMENT COLUMN `partition` '',
    COMMENT COLUMN `offset` '',
    COMMENT COLUMN file '',
    COMMENT COLUMN `position` '',
    COMMENT COLUMN version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE daos_records_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN log_id '',
    COMMENT COLUMN module_version '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE cases_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN `user` '',
    COMMENT COLUMN rule_id '',
    COMMENT COLUMN changed_at '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE alerts_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN `user` '',
    COMMENT COLUMN cases '',
    COMMENT COLUMN decided_at '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';

ALTER TABLE alert_controls_versions
    COMMENT COLUMN cluster '',
    COMMENT COLUMN `user` '',
    COMMENT COLUMN `time` '',
    COMMENT COLUMN is_deleted '',
    COMMENT COLUMN origin '',
    COMMENT COLUMN landed_at '';
