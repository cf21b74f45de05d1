"""Kernels of divergences between the words of a summary and of its source."""
