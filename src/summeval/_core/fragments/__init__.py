"""Compiled: which stretches of a text stand in its source, and what is new in it."""
