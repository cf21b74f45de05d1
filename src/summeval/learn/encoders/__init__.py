"""Transformer models from disk: vectors of tokens in their context, and what entails what.

PyTorch and transformers (`pip install 'summeval[semantic]'`) are imported when a model is first
used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.learn.encoders.entailment import Entailed, Entailment
    from summeval.learn.encoders.transformer import Transformer
    from summeval.learn.encoders.words import WordsInContext

__all__ = ["Entailed", "Entailment", "Transformer", "WordsInContext"]

__getattr__ = lazy(
    __name__,
    {
        "Entailed": "entailment",
        "Entailment": "entailment",
        "Transformer": "transformer",
        "WordsInContext": "words",
    },
)
