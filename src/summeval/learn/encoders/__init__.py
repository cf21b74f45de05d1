"""Transformer models from disk: vectors of tokens in their context, and what entails what.

PyTorch and transformers (`pip install 'summeval[semantic]'`) are imported when a model is first
used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.learn.encoders.transformer import Transformer

__all__ = ["Transformer"]

__getattr__ = lazy(__name__, {"Transformer": "transformer"})
