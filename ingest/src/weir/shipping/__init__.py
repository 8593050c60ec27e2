"""Ships logs to Kafka after a job's end: the hook's spool, the directories of logs, the daemon, back-fill."""
