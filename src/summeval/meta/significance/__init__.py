"""Tests of the difference between two correlations, and intervals."""
