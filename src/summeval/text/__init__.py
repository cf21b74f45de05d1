"""Text processing: tokenizers, stemmers, word lists and sentence splitting."""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
