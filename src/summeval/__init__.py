"""Summary evaluation: exact where an original program exists, and fast."""

__version__ = "0.1.0"
