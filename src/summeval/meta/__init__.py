"""Metrics about metrics: how far their scores can be trusted, and how they combine."""
