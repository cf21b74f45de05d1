"""Weighted bipartite assignment and transportation: one call each, many back ends.

Every result states its value, its solution and its prices, and proves itself by `certificate()`.
"""

from summeval.solvers.assignment import AssignmentBatch, assign, assign_batch
from summeval.solvers.registry import BackEnd, methods, register
from summeval.solvers.result import (
    AssignmentResult,
    Certificate,
    SolverError,
    TransportResult,
)

__all__ = [
    "AssignmentBatch",
    "AssignmentResult",
    "BackEnd",
    "Certificate",
    "SolverError",
    "TransportResult",
    "assign",
    "assign_batch",
    "methods",
    "register",
]
