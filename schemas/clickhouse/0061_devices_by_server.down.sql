CREATE OR REPLACE VIEW device_load AS SELECT * EXCEPT (version, is_deleted) FROM device_load_versions FINAL;
