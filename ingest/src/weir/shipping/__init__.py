"""From a job's end to its logs in Kafka: the hook's spool, the directories of logs, the daemon, back-fill."""
