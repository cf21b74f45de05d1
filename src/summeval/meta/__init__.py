"""Meta-evaluation: how far the scores of metrics can be trusted, and how metrics combine."""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
