"""The version, read from here by all: pyproject.toml, signatures, files that name it."""

__version__ = "0.1.0"
