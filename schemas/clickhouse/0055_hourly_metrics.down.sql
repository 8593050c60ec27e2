DROP TABLE IF EXISTS landings_by_hour;

DROP TABLE IF EXISTS landings_hourly;

DROP TABLE IF EXISTS pipeline_metrics_by_hour;

DROP TABLE IF EXISTS pipeline_metrics_hourly;
