DROP VIEW IF EXISTS storage_events;
DROP TABLE IF EXISTS storage_events_versions;
