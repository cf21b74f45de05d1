from typing import Any, TypeVar

from numpy import float64, int64, integer
from numpy.typing import NDArray

_Result = TypeVar("_Result")

class AssignmentFailure(Exception): ...

def assign_compressed(matrix: Any, result: type[_Result], weights: type[Any]) -> _Result | None: ...
def assign_batch(
    indptr: NDArray[integer[Any]],
    row: NDArray[integer[Any]],
    column: NDArray[integer[Any]],
    weight: NDArray[float64],
    shapes: NDArray[integer[Any]],
    workers: int = 1,
) -> tuple[NDArray[float64], NDArray[int64], NDArray[int64], NDArray[float64]] | None: ...
def assign_dense(matrix: Any, result: type[_Result], weights: type[Any]) -> _Result | None: ...
