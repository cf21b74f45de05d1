from typing import Any

from numpy import float64
from numpy.typing import NDArray

from summeval._core.columns import TextColumn
from summeval._core.record import Score
from summeval._core.text import Analyzer

FIELDS: tuple[str, ...]

class DivergenceKernel:
    names: tuple[str]
    def __init__(
        self,
        analyzer: Analyzer,
        name: str,
        background: dict[bytes, int] | None,
        idf: dict[bytes, float],
        unknown_idf: float,
        smoothing: tuple[float, float],
        log_scale: float,
        ratio_scale: float,
        topic_cutoff: float,
        compat: bool,
    ) -> None: ...
    def score_batch(
        self,
        candidates: TextColumn,
        references: TextColumn,
        out: NDArray[float64],
        workers: int = 1,
    ) -> None: ...
    def score(self, candidate: Any, references: Any) -> dict[str, Score]: ...
    def prepare(self, references: Any) -> PreparedDivergence: ...
    def score_counts(self, summary: dict[bytes, int], source: dict[bytes, int]) -> Score: ...
    def likelihood_ratios(self, source: dict[bytes, int]) -> list[float]: ...

class PreparedDivergence:
    def score(self, candidate: Any) -> dict[str, Score]: ...
    def score_batch(
        self, candidates: TextColumn, out: NDArray[float64], workers: int = 1
    ) -> None: ...
