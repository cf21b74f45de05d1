"""Scores in tests: the plugin of pytest."""
