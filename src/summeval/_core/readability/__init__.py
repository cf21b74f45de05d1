"""Kernels of what is counted in a text to judge how it reads."""
