DROP VIEW IF EXISTS deliveries_since;

DROP VIEW IF EXISTS alerts_since;

DROP VIEW IF EXISTS cases_since;
