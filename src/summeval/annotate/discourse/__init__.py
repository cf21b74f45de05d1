"""Discourse relations: annotated documents, a parser, and readers and writers of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.annotate.discourse.conll import read_conll, write_parses, write_relations
    from summeval.annotate.discourse.document import LEVEL_1, TYPES, DiscourseDocument, Relation
    from summeval.annotate.discourse.model import Model, load
    from summeval.annotate.discourse.pipes import read_pipe, write_pipe
    from summeval.annotate.discourse.related import parse
    from summeval.annotate.discourse.serial import from_json, to_json

__all__ = [
    "LEVEL_1",
    "TYPES",
    "DiscourseDocument",
    "Model",
    "Relation",
    "from_json",
    "load",
    "parse",
    "read_conll",
    "read_pipe",
    "to_json",
    "write_parses",
    "write_pipe",
    "write_relations",
]

__getattr__ = lazy(
    __name__,
    {
        "LEVEL_1": "document",
        "TYPES": "document",
        "DiscourseDocument": "document",
        "Relation": "document",
        "Model": "model",
        "load": "model",
        "parse": "related",
        "read_pipe": "pipes",
        "write_pipe": "pipes",
        "read_conll": "conll",
        "write_parses": "conll",
        "write_relations": "conll",
        "from_json": "serial",
        "to_json": "serial",
    },
)
