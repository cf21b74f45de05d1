"""Explanations: what a score comes from."""
