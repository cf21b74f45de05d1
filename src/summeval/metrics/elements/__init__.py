"""Metrics over Basic Elements: BE and BEwT-E."""
