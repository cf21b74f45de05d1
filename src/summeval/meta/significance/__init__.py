"""Significance tests of differences between correlations, and confidence intervals."""
