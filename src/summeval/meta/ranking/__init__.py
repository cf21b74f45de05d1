"""Ranking of systems by the scores of their outputs: paired tests over shared rows."""
