"""The version, alone in a module so that metrics can sign with it."""

__version__ = "0.1.0"
