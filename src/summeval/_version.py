"""The version: the single source for pyproject.toml, signatures and files that state it."""

__version__ = "0.1.0"
