"""The ClickHouse front: one process owns a chDB data path and speaks ClickHouse over HTTP."""
