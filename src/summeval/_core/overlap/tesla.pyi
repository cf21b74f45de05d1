from collections.abc import Mapping, Sequence

from typing_extensions import disjoint_base

from summeval._core.rows.items import Items
from summeval._core.rows.kernel import TextKernel
from summeval._core.text.analyzer import Analyzer

AGGREGATES: dict[str, int]

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
    def items(
        self,
        texts: tuple[str, ...],
        parts: tuple[Mapping[int, float], ...],
        most: int,
        tokens: tuple[tuple[bytes, Sequence[int], Sequence[int]], ...] = (),
        read: tuple[str, ...] | None = None,
    ) -> Items: ...
