"""Devices as their firmware announces them on a broker, in the documented form of each."""
