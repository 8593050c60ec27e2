"""Darshan logs: as messages, as facts, and merged where processes were killed."""
