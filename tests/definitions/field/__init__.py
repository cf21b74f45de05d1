"""Metrics of other packages, in plain Python."""
