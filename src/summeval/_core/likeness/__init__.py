"""Likeness of words by their vectors, and the scores of texts by it."""
