from typing import Any, TypeVar

from numpy import float64, int64
from numpy.typing import NDArray

_Result = TypeVar("_Result")

class TransportFailure(Exception): ...

def transport_batch(
    indptr: NDArray[int64],
    row: NDArray[int64] | None,
    column: NDArray[int64] | None,
    weight: NDArray[float64],
    supply: NDArray[float64],
    demand: NDArray[float64],
    shapes: NDArray[int64],
    row_offsets: NDArray[int64],
    column_offsets: NDArray[int64],
    workers: int = 1,
) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64], NDArray[float64]]: ...
def transport_flat(
    indptr: Any,
    row: Any,
    column: Any,
    weight: Any,
    supply: Any,
    demand: Any,
    shapes: Any,
    workers: int = 1,
) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64], NDArray[float64]] | None: ...
def transport_compressed(
    supply: Any, demand: Any, matrix: Any, result: type[_Result], weights: type[Any]
) -> _Result | None: ...
def transport_dense(
    supply: Any, demand: Any, similarity: Any
) -> (
    tuple[
        float,
        NDArray[int64],
        NDArray[int64],
        NDArray[float64],
        NDArray[float64],
        NDArray[float64],
    ]
    | None
): ...
