"""Parsed documents, the providers that make them, and the readers of files that hold them."""

from summeval.annotate.batch import annotate
from summeval.annotate.document import Document, Entity, Sentence, Token
from summeval.annotate.providers import Provider, provider, providers

__all__ = [
    "Document",
    "Entity",
    "Provider",
    "Sentence",
    "Token",
    "annotate",
    "provider",
    "providers",
]
