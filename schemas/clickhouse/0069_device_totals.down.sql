DROP TABLE IF EXISTS days_of_devices_build;

DROP TABLE IF EXISTS device_totals_build;

DROP VIEW IF EXISTS device_totals;

DROP TABLE IF EXISTS device_totals_versions;

DROP VIEW IF EXISTS device_measures;

DROP TABLE IF EXISTS device_load_hourly_landed;

ALTER TABLE days_of_totals DELETE WHERE table = 'device_load_hourly';
