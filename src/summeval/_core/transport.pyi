from numpy import float64, int64
from numpy.typing import NDArray

def solve(
    indptr: NDArray[int64],
    row: NDArray[int64] | None,
    column: NDArray[int64] | None,
    weight: NDArray[float64],
    supply: NDArray[float64],
    demand: NDArray[float64],
    shapes: NDArray[int64],
    row_offsets: NDArray[int64],
    column_offsets: NDArray[int64],
    flow: NDArray[float64],
    row_prices: NDArray[float64],
    column_prices: NDArray[float64],
    values: NDArray[float64],
    workers: int = 1,
) -> int: ...
