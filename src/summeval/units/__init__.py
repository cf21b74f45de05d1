"""What is counted beyond tokens: Basic Elements, their transformations, lexical resources."""

from summeval.units.elements import Element

__all__ = ["Element"]
