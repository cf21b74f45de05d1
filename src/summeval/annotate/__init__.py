"""Parsed documents, the providers that make them, and the readers of files that hold them."""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
