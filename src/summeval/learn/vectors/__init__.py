"""Vectors of words: tables that have one for each word, and encoders that see a whole text."""
