"""Compiled: what no good summary lacks, and the rewards that presets make of scores."""
