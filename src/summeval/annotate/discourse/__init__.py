"""Discourse relations: documents that have them, a parser that finds them, files that hold them."""

from summeval.annotate.discourse.document import LEVEL_1, TYPES, DiscourseDocument, Relation
from summeval.annotate.discourse.model import Model, load
from summeval.annotate.discourse.parser import parse

__all__ = ["LEVEL_1", "TYPES", "DiscourseDocument", "Model", "Relation", "load", "parse"]
