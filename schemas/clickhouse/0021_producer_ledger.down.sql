DROP VIEW IF EXISTS producer_ledger;
DROP TABLE IF EXISTS producer_ledger_versions;
