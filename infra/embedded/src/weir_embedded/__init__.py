"""Weir on one machine without containers: Kafka, Flink, the ClickHouse front, Superset, their supervision."""
