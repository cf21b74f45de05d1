from numpy import float64, int64, uint8
from numpy.typing import NDArray

COEFFICIENTS: tuple[str, ...]
LEVELS: tuple[str, ...]

def resampled(
    x: NDArray[float64],
    y: NDArray[float64],
    systems: NDArray[int64],
    topics: NDArray[int64],
    level: str,
    coefficient: str,
) -> NDArray[float64]: ...
def by_topic(x: NDArray[float64], y: NDArray[float64], coefficient: str) -> NDArray[float64]: ...
def permuted(
    x: NDArray[float64],
    y: NDArray[float64],
    z: NDArray[float64],
    systems: NDArray[uint8],
    topics: NDArray[uint8],
    level: str,
    coefficient: str,
) -> NDArray[float64]: ...
def permuted_pairs(
    tables: NDArray[float64],
    z: NDArray[float64],
    pairs: NDArray[int64],
    systems: NDArray[uint8],
    topics: NDArray[uint8],
    level: str,
    coefficient: str,
) -> NDArray[float64]: ...
