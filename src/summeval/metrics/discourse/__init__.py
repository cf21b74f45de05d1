"""Metrics of readability by discourse relations: DICOMER, readability, CREMER."""

from __future__ import annotations

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.metrics.discourse.roles import role_matrix, table_2, transition_features

__all__ = ["role_matrix", "table_2", "transition_features"]

__getattr__ = lazy(
    __name__, {"role_matrix": "roles", "table_2": "roles", "transition_features": "roles"}
)
