"""Compiled: what the source accounts for in a summary."""
