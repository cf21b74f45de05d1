"""The Pyramid method: scores of annotated summaries, their files, and positions."""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
