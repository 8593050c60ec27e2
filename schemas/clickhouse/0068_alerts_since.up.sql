-- What changed since a time of what alerting wrote. Of a case, a decision and a delivery the newest row is the latest too, so
-- that older ones may go before rows are compared by their versions: these tables are sorted by user, and a chart of a day
-- compared all that was ever written.
CREATE VIEW cases_since AS
SELECT * EXCEPT (version, is_deleted)
FROM cases_versions FINAL
PREWHERE changed_at >= {since:DateTime64(6, 'UTC')};

CREATE VIEW alerts_since AS
SELECT * EXCEPT (version, is_deleted)
FROM alerts_versions FINAL
PREWHERE decided_at >= {since:DateTime64(6, 'UTC')};

CREATE VIEW deliveries_since AS
SELECT
    * EXCEPT (version, is_deleted, channel_names, channel_addresses, channel_states, channel_reasons),
    arrayZip(channel_names, channel_addresses, channel_states, channel_reasons) AS channels
FROM deliveries_versions FINAL
PREWHERE time >= {since:DateTime64(6, 'UTC')};
