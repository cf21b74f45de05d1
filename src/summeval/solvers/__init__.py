"""Weighted bipartite assignment and transportation: one call each, many back ends.

Every result states its value, its solution and its prices, and proves itself by `certificate()`.
"""

from summeval.solvers.registry import BackEnd, methods, register
from summeval.solvers.result import (
    AssignmentResult,
    Certificate,
    SolverError,
    TransportResult,
)

__all__ = [
    "AssignmentResult",
    "BackEnd",
    "Certificate",
    "SolverError",
    "TransportResult",
    "methods",
    "register",
]
