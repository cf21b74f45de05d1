"""Kernels on vectors of tokens."""
