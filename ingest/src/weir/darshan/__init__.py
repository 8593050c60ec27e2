"""Darshan logs of format 3.00 to 3.41, decoded with numpy and the standard library."""
