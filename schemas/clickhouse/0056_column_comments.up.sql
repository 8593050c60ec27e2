-- What each column means, where it was not said: weir sql schema and the reference show it. Darshan's counters keep their names alone.
ALTER TABLE alert_controls_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN `user` 'whose wish it is',
    COMMENT COLUMN `time` 'when it was said',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE alerts_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN `user` 'to whom the message is',
    COMMENT COLUMN cases 'ids of the cases that it is about',
    COMMENT COLUMN decided_at 'when it was decided',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE cases_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN `user` 'whose program it is',
    COMMENT COLUMN rule_id 'the rule that held',
    COMMENT COLUMN changed_at 'when the case last changed',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE daos_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE dead_letters_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN id 'hash of cluster, source and place',
    COMMENT COLUMN `source` 'darshan, scheduler, devices, or what else sent it',
    COMMENT COLUMN reason 'why it was refused',
    COMMENT COLUMN topic 'of the message',
    COMMENT COLUMN `partition` 'of the topic',
    COMMENT COLUMN `offset` 'of the message in its partition',
    COMMENT COLUMN file 'in which it stood',
    COMMENT COLUMN `position` 'in the file: line or byte',
    COMMENT COLUMN version 'the higher one wins',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE deliveries_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN alert 'hash of kind, unit and recipient',
    COMMENT COLUMN unit 'what it is about: a job, an array, a case, a period or a trouble',
    COMMENT COLUMN cases 'ids of the cases that it is about',
    COMMENT COLUMN attempts 'so far',
    COMMENT COLUMN channel_addresses 'to which each channel sends',
    COMMENT COLUMN channel_states 'what became of it on each channel',
    COMMENT COLUMN settled_at 'when the last of the results behind it was published',
    COMMENT COLUMN decided_at 'when the message was decided',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE device_load_hourly_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN device_id 'WWN or by-id name, else server:name',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN hour_start 'begin of the hour, UTC',
    COMMENT COLUMN bytes_read 'bytes read',
    COMMENT COLUMN bytes_written 'bytes written',
    COMMENT COLUMN writes 'write requests completed',
    COMMENT COLUMN write_wait_seconds 'sum over the write requests',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE device_load_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN device_id 'WWN or by-id name, else server:name',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN bucket_start 'begin of the bucket, UTC',
    COMMENT COLUMN bucket_seconds 'width of the bucket',
    COMMENT COLUMN bytes_read 'bytes read',
    COMMENT COLUMN bytes_written 'bytes written',
    COMMENT COLUMN writes 'write requests completed',
    COMMENT COLUMN write_wait_seconds 'sum over the write requests',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE device_samples_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN device_name 'as the kernel calls it',
    COMMENT COLUMN `time` 'end of the interval',
    COMMENT COLUMN interval_seconds 'that the sample covers',
    COMMENT COLUMN writes 'write requests completed',
    COMMENT COLUMN bytes_read 'bytes read',
    COMMENT COLUMN bytes_written 'bytes written',
    COMMENT COLUMN busy_seconds 'in which the device had requests',
    COMMENT COLUMN write_wait_seconds 'sum over the write requests',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE dfs_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE filesystem_load_hourly_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN filesystem 'id of the file system in the site file',
    COMMENT COLUMN hour_start 'begin of the hour, UTC',
    COMMENT COLUMN bytes_read 'bytes read',
    COMMENT COLUMN bytes_written 'bytes written',
    COMMENT COLUMN writes 'write requests completed',
    COMMENT COLUMN write_wait_seconds 'sum over the write requests',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE filesystem_load_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN filesystem 'id of the file system in the site file',
    COMMENT COLUMN bucket_start 'begin of the bucket, UTC',
    COMMENT COLUMN bucket_seconds 'width of the bucket',
    COMMENT COLUMN bytes_read 'bytes read',
    COMMENT COLUMN bytes_written 'bytes written',
    COMMENT COLUMN writes 'write requests completed',
    COMMENT COLUMN util_p95 '95th percentile over the devices, 0 to 1',
    COMMENT COLUMN util_max 'of the busiest device, 0 to 1',
    COMMENT COLUMN write_wait_seconds 'sum over the write requests',
    COMMENT COLUMN servers_reported 'servers whose samples are in it',
    COMMENT COLUMN servers_expected 'servers that the site file gives the file system',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE findings_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN rule_id 'the rule that held',
    COMMENT COLUMN title 'of the rule',
    COMMENT COLUMN revision 'of code, rules and site together',
    COMMENT COLUMN version 'as the run''s',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE h5d_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE h5f_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE heatmap_bins_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN job_id 'the integer that the job sees; it repeats over the years',
    COMMENT COLUMN record_id 'Darshan''s id of the file: hash of its path',
    COMMENT COLUMN rank 'of the process; -1: of all ranks',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN version 'the higher one wins',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE job_live_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN job_id 'the integer that the job sees',
    COMMENT COLUMN array_index 'of a task of an array',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN writes 'write requests since the server first saw the key',
    COMMENT COLUMN bytes_read 'bytes read since the server first saw the key',
    COMMENT COLUMN bytes_written 'bytes written since the server first saw the key',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE job_manifests_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN job_id 'the integer that the job sees; it repeats over the years',
    COMMENT COLUMN job_uid 'null while the job is not known',
    COMMENT COLUMN scan_time 'of the look into the log directory',
    COMMENT COLUMN `final` '1: no further log is expected',
    COMMENT COLUMN log_ids 'the logs that the job left',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE job_results_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN job_uid 'hash of cluster, job id, array index and submit second',
    COMMENT COLUMN job_id 'the integer that the job sees; it repeats over the years',
    COMMENT COLUMN `user` 'name of the user, from the scheduler',
    COMMENT COLUMN account 'the project',
    COMMENT COLUMN `partition` 'of the scheduler, in which the job ran',
    COMMENT COLUMN job_name 'name that the user gave the job',
    COMMENT COLUMN state 'of the job, as the scheduler has it',
    COMMENT COLUMN submit_time 'when the job was submitted',
    COMMENT COLUMN start_time 'null while it waits',
    COMMENT COLUMN end_time 'null while it has not ended',
    COMMENT COLUMN nodes 'allocated',
    COMMENT COLUMN settled '1: nothing more is awaited',
    COMMENT COLUMN logs_analysed 'logs of the job that are analyzed',
    COMMENT COLUMN bytes_read 'bytes read by its runs',
    COMMENT COLUMN bytes_written 'bytes written by its runs',
    COMMENT COLUMN node_hours 'allocated nodes times run time',
    COMMENT COLUMN verdict 'application, storage, both, unknown or not_slow',
    COMMENT COLUMN verdict_reason 'why the verdict is what it is',
    COMMENT COLUMN findings 'ids of the rules that held for its runs',
    COMMENT COLUMN revision 'of code, rules and site together',
    COMMENT COLUMN version 'the higher one wins',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written',
    COMMENT COLUMN coverage_reason 'why its I/O is not known further';

ALTER TABLE landings
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN `table` 'into which rows were inserted',
    COMMENT COLUMN `rows` 'of the insert',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE landings_hourly
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN `table` 'into which rows were inserted',
    COMMENT COLUMN hour_start 'begin of the hour, UTC',
    COMMENT COLUMN inserts 'in the hour',
    COMMENT COLUMN `rows` 'inserted in the hour',
    COMMENT COLUMN max_delay_seconds 'from the oldest message behind an insert to its rows in the table';

ALTER TABLE log_modules_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module 'of Darshan',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN records_expected 'as the module says; null if unknown',
    COMMENT COLUMN records_read 'records that were decoded',
    COMMENT COLUMN compressed_bytes 'in the log',
    COMMENT COLUMN reason 'why not all was decoded',
    COMMENT COLUMN version 'the higher one wins',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE lustre_stripes_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN job_id 'the integer that the job sees; it repeats over the years',
    COMMENT COLUMN record_id 'Darshan''s id of the file: hash of its path',
    COMMENT COLUMN rank 'of the process; -1: of all ranks',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN version 'the higher one wins',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE mpiio_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE pipeline_metrics
    COMMENT COLUMN `time` 'of the measurement',
    COMMENT COLUMN value 'in the unit that the metric''s name ends with';

ALTER TABLE pipeline_metrics_hourly
    COMMENT COLUMN hour_start 'begin of the hour, UTC',
    COMMENT COLUMN metric 'as in pipeline_metrics',
    COMMENT COLUMN job 'Flink job, or consumer group',
    COMMENT COLUMN part 'operator, task, topic or process; empty for the whole job',
    COMMENT COLUMN max_value 'highest of the hour';

ALTER TABLE pipeline_restarts
    COMMENT COLUMN cause 'why it restarted';

ALTER TABLE pnetcdf_file_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE pnetcdf_var_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE posix_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE producer_ledger_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN producer 'who published',
    COMMENT COLUMN `count` 'how many of that kind it says it has sent',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE runs_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN job_uid 'of the job that it is joined to; null if none',
    COMMENT COLUMN job_join_reason 'why it is not joined',
    COMMENT COLUMN `partition` 'of the scheduler, in which the job ran',
    COMMENT COLUMN job_name 'name that the user gave the job',
    COMMENT COLUMN job_state 'of the job, as the scheduler has it',
    COMMENT COLUMN exe_hash 'hash of the whole command line',
    COMMENT COLUMN file_name 'of the log',
    COMMENT COLUMN log_version 'of the log''s format',
    COMMENT COLUMN modules 'Darshan''s modules that recorded something',
    COMMENT COLUMN start_time 'from the log''s job record',
    COMMENT COLUMN end_time 'from the log''s job record',
    COMMENT COLUMN load_buckets_expected 'buckets of load in its busy seconds',
    COMMENT COLUMN load_buckets_closed 'those of them that are closed',
    COMMENT COLUMN load_util_max 'highest utilization of one of these devices in a bucket, 0 to 1',
    COMMENT COLUMN node_hours_lost 'time lost times run nodes',
    COMMENT COLUMN verdict_reason 'why the verdict is what it is',
    COMMENT COLUMN version 'grows with what is known: schemas/README',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE scheduler_jobs_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN job_uid 'hash of cluster, job id, array index and submit second',
    COMMENT COLUMN job_display_id 'as users write it, such as 101_3',
    COMMENT COLUMN array_id 'of the array that it is a task of',
    COMMENT COLUMN array_index 'of the task in its array',
    COMMENT COLUMN `user` 'name of the user, from the scheduler',
    COMMENT COLUMN uid 'number of the user',
    COMMENT COLUMN `partition` 'of the scheduler, in which the job ran',
    COMMENT COLUMN qos 'quality of service, of the scheduler',
    COMMENT COLUMN job_name 'name that the user gave the job',
    COMMENT COLUMN state 'pending, running, or how it ended',
    COMMENT COLUMN exit_code 'of the job''s script',
    COMMENT COLUMN exit_signal 'that ended it',
    COMMENT COLUMN submit_time 'when the job was submitted',
    COMMENT COLUMN start_time 'null while it waits',
    COMMENT COLUMN end_time 'null while it has not ended',
    COMMENT COLUMN cpus 'allocated',
    COMMENT COLUMN node_list 'names of its nodes, in the scheduler''s short form',
    COMMENT COLUMN time_limit_seconds 'that the user asked for',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE server_load_hourly_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN hour_start 'begin of the hour, UTC',
    COMMENT COLUMN bytes_read 'bytes read',
    COMMENT COLUMN bytes_written 'bytes written',
    COMMENT COLUMN writes 'write requests completed',
    COMMENT COLUMN write_wait_seconds 'sum over the write requests',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE server_load_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN bucket_start 'begin of the bucket, UTC',
    COMMENT COLUMN bucket_seconds 'width of the bucket',
    COMMENT COLUMN bytes_read 'bytes read',
    COMMENT COLUMN bytes_written 'bytes written',
    COMMENT COLUMN writes 'write requests completed',
    COMMENT COLUMN util_p95 '95th percentile over the devices, 0 to 1',
    COMMENT COLUMN util_max 'of the busiest device, 0 to 1',
    COMMENT COLUMN write_wait_seconds 'sum over the write requests',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE stdio_records_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN module_version 'of the format of the module''s records',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE storage_events_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN numbers 'in the order of names',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE superseded_logs_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN log_id 'hash of the log''s bytes',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE target_io_sizes_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN disk_writes 'in each bin since the target was mounted',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';

ALTER TABLE target_live_versions
    COMMENT COLUMN cluster 'the computing center''s cluster, as its site file names it',
    COMMENT COLUMN server 'storage server',
    COMMENT COLUMN writes 'write requests since the target was mounted',
    COMMENT COLUMN bytes_read 'bytes read since the target was mounted',
    COMMENT COLUMN bytes_written 'bytes written since the target was mounted',
    COMMENT COLUMN is_deleted '1: this version takes the row back',
    COMMENT COLUMN origin 'live, backfill or replay',
    COMMENT COLUMN landed_at 'when the row was written';
