"""Kernels of n-gram graphs."""
