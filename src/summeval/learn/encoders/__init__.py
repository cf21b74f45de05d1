"""Transformer models from disk: vectors of tokens in their context, and what entails what.

PyTorch and transformers (`pip install 'summeval[semantic]'`) are imported when a model is first
used.
"""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
