"""Parsed documents, the providers that make them, and the readers of files that hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.annotate.batch import annotate
    from summeval.annotate.cache import Cache, cache_folder
    from summeval.annotate.conllu import read_conllu, write_conllu
    from summeval.annotate.discourse.document import DiscourseDocument
    from summeval.annotate.document import Document, Entity, Sentence, Token
    from summeval.annotate.files import FileProvider, read_documents
    from summeval.annotate.providers import Provider, provider, providers
    from summeval.annotate.serial import from_json, to_json
    from summeval.annotate.trees import Tree, parse_tree, read_trees

__all__ = [
    "Cache",
    "DiscourseDocument",
    "Document",
    "Entity",
    "FileProvider",
    "Provider",
    "Sentence",
    "Token",
    "Tree",
    "annotate",
    "cache_folder",
    "from_json",
    "parse_tree",
    "provider",
    "providers",
    "read_conllu",
    "read_documents",
    "read_trees",
    "to_json",
    "write_conllu",
]

__getattr__ = lazy(
    __name__,
    {
        "annotate": "batch",
        "Cache": "cache",
        "cache_folder": "cache",
        "read_conllu": "conllu",
        "write_conllu": "conllu",
        "DiscourseDocument": "discourse.document",
        "Document": "document",
        "Entity": "document",
        "Sentence": "document",
        "Token": "document",
        "FileProvider": "files",
        "read_documents": "files",
        "Provider": "providers",
        "provider": "providers",
        "providers": "providers",
        "from_json": "serial",
        "to_json": "serial",
        "Tree": "trees",
        "parse_tree": "trees",
        "read_trees": "trees",
    },
)
