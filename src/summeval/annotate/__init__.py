"""Parsed documents, the providers that make them, and the readers of files that hold them."""

from summeval.annotate.batch import annotate
from summeval.annotate.conllu import read_conllu, write_conllu
from summeval.annotate.document import Document, Entity, Sentence, Token
from summeval.annotate.providers import Provider, provider, providers
from summeval.annotate.serial import from_json, to_json
from summeval.annotate.trees import Tree, parse_tree, read_trees

__all__ = [
    "Document",
    "Entity",
    "Provider",
    "Sentence",
    "Token",
    "Tree",
    "annotate",
    "from_json",
    "parse_tree",
    "provider",
    "providers",
    "read_conllu",
    "read_trees",
    "to_json",
    "write_conllu",
]
