"""Discourse relations: documents that have them, a parser that finds them, files that hold them."""

from summeval.annotate.discourse.document import LEVEL_1, TYPES, DiscourseDocument, Relation

__all__ = ["LEVEL_1", "TYPES", "DiscourseDocument", "Relation"]
