"""Shared by several adapters."""
