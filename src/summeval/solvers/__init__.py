"""Weighted bipartite assignment and transportation: one function each, many back ends.

Every result has a value, a solution and prices, and `certificate()` proves that it is optimal.
"""

from __future__ import annotations

from summeval._lazy import attach

__getattr__, __dir__ = attach(__name__)
