"""Judges: their judgements, how far they agree, and how reliable their means are."""
