"""Weighted bipartite assignment and transportation: one function each, many back ends.

Every result has a value, a solution and prices, and `certificate()` proves that it is optimal.
"""

from summeval.solvers.assignment import AssignmentBatch, assign, assign_batch
from summeval.solvers.result import (
    AssignmentResult,
    BackEnd,
    Certificate,
    SolverError,
    TransportResult,
    list_solvers,
    register,
)
from summeval.solvers.transportation import TransportBatch, transport, transport_batch

__all__ = [
    "AssignmentBatch",
    "AssignmentResult",
    "BackEnd",
    "Certificate",
    "SolverError",
    "TransportBatch",
    "TransportResult",
    "assign",
    "assign_batch",
    "list_solvers",
    "register",
    "transport",
    "transport_batch",
]
