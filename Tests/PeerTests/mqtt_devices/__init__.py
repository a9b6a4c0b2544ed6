"""Devices as their firmware announces them on a broker, each in its documented form."""
