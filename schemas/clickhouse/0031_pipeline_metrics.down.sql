DROP TABLE IF EXISTS pipeline_metrics;
