"""Parsed documents, the providers that make them, and the readers of files that hold them."""

from summeval.annotate.document import Document, Entity, Sentence, Token

__all__ = ["Document", "Entity", "Sentence", "Token"]
