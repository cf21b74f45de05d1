# The names of the package: `_lazy.attach` reads the imports here when a name is first used, and the
# pages of the reference show what `__all__` has.

from summeval.solvers.assignment import AssignmentBatch as AssignmentBatch
from summeval.solvers.assignment import assign as assign
from summeval.solvers.assignment import assign_batch as assign_batch
from summeval.solvers.result import AssignmentResult as AssignmentResult
from summeval.solvers.result import BackEnd as BackEnd
from summeval.solvers.result import Certificate as Certificate
from summeval.solvers.result import SolverError as SolverError
from summeval.solvers.result import TransportResult as TransportResult
from summeval.solvers.result import list_solvers as list_solvers
from summeval.solvers.result import register as register
from summeval.solvers.transportation import TransportBatch as TransportBatch
from summeval.solvers.transportation import transport as transport
from summeval.solvers.transportation import transport_batch as transport_batch

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
