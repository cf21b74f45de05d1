"""Kernels of agreement: correlations under resampling, and dominance (QUEEN, KING)."""
