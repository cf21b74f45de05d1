"""Discourse relations: annotated documents, a parser, and readers and writers of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.annotate.discourse.document import (
        LEVEL_1,
        TYPES,
        DiscourseDocument,
        Relation,
        from_json,
        to_json,
    )
    from summeval.annotate.discourse.parser import Model, load, parse
    from summeval.annotate.discourse.treebanks import (
        read_conll,
        read_pipe,
        write_parses,
        write_pipe,
        write_relations,
    )

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
        **dict.fromkeys(("Model", "load", "parse"), "parser"),
        **dict.fromkeys(("read_conll", "read_pipe"), "treebanks"),
        **dict.fromkeys(("write_parses", "write_pipe", "write_relations"), "treebanks"),
        **dict.fromkeys(("LEVEL_1", "TYPES", "DiscourseDocument", "Relation"), "document"),
        **dict.fromkeys(("from_json", "to_json"), "document"),
    },
)
