DROP TABLE IF EXISTS pipeline_restarts;
