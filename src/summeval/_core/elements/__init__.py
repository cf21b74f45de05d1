"""Kernels of Basic Elements: expansion by transformations, the lexicon, the WordNet table."""
