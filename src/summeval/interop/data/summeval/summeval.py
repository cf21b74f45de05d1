"""What `evaluate.load` copies and imports of summeval; its class is the module that it makes."""

from summeval.interop.evaluate import Summeval

__all__ = ["Summeval"]
