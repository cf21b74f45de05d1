"""Discourse relations: documents that have them, a parser that finds them, files that hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.annotate.discourse.document import LEVEL_1, TYPES, DiscourseDocument, Relation
    from summeval.annotate.discourse.model import Model, load
    from summeval.annotate.discourse.parser import parse

__all__ = ["LEVEL_1", "TYPES", "DiscourseDocument", "Model", "Relation", "load", "parse"]

__getattr__ = lazy(
    __name__,
    {
        "LEVEL_1": "document",
        "TYPES": "document",
        "DiscourseDocument": "document",
        "Relation": "document",
        "Model": "model",
        "load": "model",
        "parse": "parser",
    },
)
