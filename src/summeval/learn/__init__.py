"""What is trained: support vector machines, ridge and linear models, and their one file format."""

from summeval._lazy import lazy

__getattr__ = lazy(__name__, {})
