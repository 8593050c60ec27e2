"""Weir's Superset assets: check them, load them, and see that every chart answers."""
