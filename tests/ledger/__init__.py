"""Saved questions and views, compared with the ledger of a simulated center."""
