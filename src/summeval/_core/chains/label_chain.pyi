from numpy import float64, int64
from numpy.typing import NDArray

MOST_LABELS: int
MOST_LABELS_CUT: int

class Chains:
    def __init__(
        self,
        document_ptr: NDArray[int64],
        parents: NDArray[int64],
        order: int,
        most: int = 12,
        most_cut: int = 7,
        rounds: int = 100,
        keep: float = 0.5,
        close: float = 1e-8,
    ) -> None: ...
    @property
    def loopy(self) -> int: ...
    @property
    def widest(self) -> int: ...
    def sums(
        self,
        scores: NDArray[float64],
        context: NDArray[float64],
        link: NDArray[float64],
        times: NDArray[float64],
    ) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64], NDArray[float64]]: ...
    def marginals(
        self,
        scores: NDArray[float64],
        context: NDArray[float64],
        link: NDArray[float64],
        local: bool = False,
    ) -> NDArray[float64]: ...
    def margins(
        self,
        scores: NDArray[float64],
        context: NDArray[float64],
        link: NDArray[float64],
        local: bool = False,
    ) -> NDArray[float64]: ...
