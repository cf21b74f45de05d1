"""Kernels of matching: maximum-weight assignment and transportation."""
