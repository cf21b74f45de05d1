"""Kernels of overlap: ROUGE, longest common subsequences, TESLA, bootstrap means."""
