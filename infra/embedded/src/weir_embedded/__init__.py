"""Weir on one machine without containers: Kafka, Flink, the ClickHouse front, Superset, and what runs them."""
