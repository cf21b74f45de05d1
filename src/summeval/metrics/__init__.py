"""The metrics: a folder or a file for each family, and in `run` how any metric is run."""

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
