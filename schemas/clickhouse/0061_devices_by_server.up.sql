-- All versions of a device's bucket are of one server, so that the index of servers may leave the other devices out though
-- FINAL has to look at all versions of a row: the devices of one server are read, not those that lie near them in any part.
CREATE OR REPLACE VIEW device_load AS SELECT * EXCEPT (version, is_deleted) FROM device_load_versions FINAL
SETTINGS use_skip_indexes_if_final_exact_mode = 0;
