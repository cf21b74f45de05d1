from typing import Any

from numpy import float64
from numpy.typing import NDArray

from summeval._core.columns import TextColumn
from summeval._core.record import Score
from summeval._core.text import Analyzer

AGGREGATES: dict[str, int]

class TeslaKernel:
    names: tuple[str]
    def __init__(
        self,
        analyzer: Analyzer,
        name: str,
        gap: int,
        cross_sentences: bool,
        word_weights: tuple[float, float],
        pair_weights: tuple[float, float, float],
        aggregate: str,
        alpha: float,
    ) -> None: ...
    def score_batch(
        self,
        candidates: TextColumn,
        references: TextColumn,
        out: NDArray[float64],
        workers: int = 1,
    ) -> None: ...
    def score(self, candidate: Any, references: Any) -> dict[str, Score]: ...
    def prepare(self, references: Any) -> PreparedTesla: ...

class PreparedTesla:
    def score(self, candidate: Any) -> dict[str, Score]: ...
    def score_batch(
        self, candidates: TextColumn, out: NDArray[float64], workers: int = 1
    ) -> None: ...
