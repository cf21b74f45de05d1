"""Kernels of discourse: roles of terms and their transitions."""
