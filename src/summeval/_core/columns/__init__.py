"""Texts in: Arrow columns and Python sequences as views of bytes."""
