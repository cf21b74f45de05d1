from numpy import float32, float64, int64
from numpy.typing import NDArray

def greedy(
    vectors: NDArray[float32],
    weights: NDArray[float64],
    starts: NDArray[int64],
    candidates: NDArray[int64],
    references: NDArray[int64],
    workers: int = 1,
) -> NDArray[float64]: ...
