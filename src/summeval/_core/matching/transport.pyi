from typing import Any

from numpy import float64, int64, integer
from numpy.typing import NDArray

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
def transport_compressed(
    indptr: NDArray[integer[Any]],
    indices: NDArray[integer[Any]],
    weight: NDArray[float64],
    supply: NDArray[float64],
    demand: NDArray[float64],
    rows: int,
    columns: int,
) -> tuple[float, NDArray[float64], NDArray[float64], NDArray[float64]] | None: ...
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
