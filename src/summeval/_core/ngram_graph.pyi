from collections.abc import Sequence
from typing import Any

from numpy import float64
from numpy.typing import NDArray

from summeval._core.columns import TextColumn
from summeval._core.record import Score

KINDS: dict[str, int]

class GraphKernel:
    names: tuple[str, ...]
    def __init__(
        self,
        names: tuple[str, ...],
        measures: Sequence[tuple[str, float, float]],
        min_n: int,
        max_n: int,
        window: int,
        released: bool,
    ) -> None: ...
    def score_batch(
        self,
        candidates: TextColumn,
        references: TextColumn,
        out: NDArray[float64],
        workers: int = 1,
    ) -> None: ...
    def score(self, candidate: Any, references: Any) -> dict[str, Score]: ...
    def prepare(self, references: Any) -> PreparedGraphs: ...

class PreparedGraphs:
    def score(self, candidate: Any) -> dict[str, Score]: ...
    def score_batch(
        self, candidates: TextColumn, out: NDArray[float64], workers: int = 1
    ) -> None: ...
