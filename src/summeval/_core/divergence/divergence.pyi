from typing_extensions import disjoint_base

from summeval._core.rows.kernel import TextKernel
from summeval._core.rows.record import Score
from summeval._core.text.analyzer import Analyzer

FIELDS: tuple[str, ...]

@disjoint_base
class DivergenceKernel(TextKernel):
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
    def score_counts(self, summary: dict[bytes, int], source: dict[bytes, int]) -> Score: ...
    def likelihood_ratios(self, source: dict[bytes, int]) -> list[float]: ...
