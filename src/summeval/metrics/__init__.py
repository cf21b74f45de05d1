"""The metrics: a folder or a file for each family, and in `run` how any metric is run."""

from summeval._lazy import lazy

__getattr__ = lazy(__name__, {})
