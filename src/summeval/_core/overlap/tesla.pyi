from typing import Any, TypeVar

from typing_extensions import disjoint_base

from summeval._core.rows.kernel import TextKernel
from summeval._core.text.analyzer import Analyzer

AGGREGATES: dict[str, int]
_Span = TypeVar("_Span")

@disjoint_base
class TeslaKernel(TextKernel):
    def __init__(
        self,
        analyzer: Analyzer,
        name: str,
        gap: int,
        cross_sentences: bool,
        word_weights: tuple[float, float],
        pair_weights: tuple[float, float, float],
        aggregate: str,
        recall_weight: float,
    ) -> None: ...

def placed(
    groups: Any, places: Any, spans: list[_Span], size: int
) -> dict[int, tuple[_Span, ...]]: ...
