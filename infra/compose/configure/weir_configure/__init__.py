"""Passwords, certificates and configuration files of the containers."""
