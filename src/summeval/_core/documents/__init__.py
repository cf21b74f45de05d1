"""Parsed documents as blocks of bytes that kernels read in place."""
