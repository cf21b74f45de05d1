"""Discourse relations: annotated documents, a parser, and readers and writers of files."""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
