"""Weir: live I/O analytics for computing centers. Agents and command line."""
