DROP TABLE IF EXISTS message_effects_build;

DROP VIEW IF EXISTS message_effects;

DROP TABLE IF EXISTS message_effects_versions;
