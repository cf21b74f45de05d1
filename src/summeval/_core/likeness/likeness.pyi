from collections.abc import Sequence
from typing import Any

from typing_extensions import Buffer, disjoint_base

from summeval._core.rows.items import Items
from summeval._core.rows.kernel import TextKernel
from summeval._core.rows.record import Score
from summeval._core.text.analyzer import Analyzer

AGGREGATES: dict[str, int]

@disjoint_base
class WordTable:
    def __init__(self, words: Buffer, vectors: Any, weights: Any, unknown: float) -> None: ...

@disjoint_base
class EncodedText: ...

@disjoint_base
class LikenessKernel(TextKernel):
    def __init__(
        self, forms: Analyzer, stems: Analyzer, table: WordTable, name: str, aggregate: str
    ) -> None: ...
    def without_flow(self) -> LikenessKernel: ...
    def encode(self, words: bytes, vectors: Any) -> EncodedText: ...
    def items(
        self,
        texts: tuple[str, ...],
        chosen: tuple[int, ...],
        value: float,
        tokens: tuple[tuple[bytes, Sequence[int], Sequence[int], Sequence[str], Any], ...] = (),
    ) -> Items: ...
    def score_encoded(
        self, candidate: EncodedText, references: tuple[EncodedText, ...]
    ) -> dict[str, Score]: ...
