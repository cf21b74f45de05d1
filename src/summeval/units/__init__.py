"""What is counted beyond tokens: Basic Elements, their transformations, lexical resources."""

from summeval.units.elements import Element
from summeval.units.extraction import extract, extract_from_dependencies, extract_from_trees

__all__ = ["Element", "extract", "extract_from_dependencies", "extract_from_trees"]
