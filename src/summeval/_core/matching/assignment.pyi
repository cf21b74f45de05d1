from numpy import float64, int64
from numpy.typing import NDArray

class AssignmentFailure(Exception): ...

def assign_batch(
    indptr: NDArray[int64],
    row: NDArray[int64],
    column: NDArray[int64],
    weight: NDArray[float64],
    shapes: NDArray[int64],
    workers: int = 1,
) -> tuple[
    NDArray[float64], NDArray[int64], NDArray[int64], NDArray[float64], NDArray[float64]
]: ...
def assign_dense(
    weights: NDArray[float64],
) -> tuple[NDArray[int64], NDArray[float64], NDArray[float64]] | None: ...
