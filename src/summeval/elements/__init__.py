"""Units beyond tokens: Basic Elements, their transformations and lexical resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.elements.elements import Element
    from summeval.elements.extraction import extract, extract_from_dependencies, extract_from_trees

__all__ = [
    "Element",
    "extract",
    "extract_from_dependencies",
    "extract_from_trees",
]

__getattr__ = lazy(
    __name__,
    {
        "Element": "elements",
        "extract": "extraction",
        "extract_from_dependencies": "extraction",
        "extract_from_trees": "extraction",
    },
)
