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
    from summeval.annotate.files import FileProvider, from_json, read_documents, to_json
    from summeval.annotate.providers import Provider, provider, providers
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
        **dict.fromkeys(("Cache", "cache_folder"), "cache"),
        **dict.fromkeys(("read_conllu", "write_conllu"), "conllu"),
        "DiscourseDocument": "discourse.document",
        **dict.fromkeys(("Document", "Entity", "Sentence", "Token"), "document"),
        **dict.fromkeys(("FileProvider", "from_json", "read_documents", "to_json"), "files"),
        **dict.fromkeys(("Provider", "provider", "providers"), "providers"),
        **dict.fromkeys(("Tree", "parse_tree", "read_trees"), "trees"),
    },
)
