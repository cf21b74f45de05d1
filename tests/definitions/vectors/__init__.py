"""Definitions over vectors of tokens."""
