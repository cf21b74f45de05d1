"""Solvers of other libraries behind the same interface."""
