"""Units beyond tokens: Basic Elements, their transformations and lexical resources."""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
