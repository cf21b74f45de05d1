"""Coreference: which mentions of a document name the same thing, and what tells so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.annotate.coreference.files import ChainFile
    from summeval.annotate.coreference.resolvers import (
        Chains,
        Mention,
        Resolver,
        chains_of,
        resolver,
    )
    from summeval.annotate.coreference.simple import SimpleResolver

__all__ = [
    "ChainFile",
    "Chains",
    "Mention",
    "Resolver",
    "SimpleResolver",
    "chains_of",
    "resolver",
]

__getattr__ = lazy(
    __name__,
    {
        "ChainFile": "files",
        "Chains": "resolvers",
        "Mention": "resolvers",
        "Resolver": "resolvers",
        "SimpleResolver": "simple",
        "chains_of": "resolvers",
        "resolver": "resolvers",
    },
)
