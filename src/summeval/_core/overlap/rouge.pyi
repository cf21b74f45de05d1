from collections.abc import Callable, Iterable, Sequence
from typing import Any

from numpy import float64, int64
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from summeval._core.columns.columns import TextColumn
from summeval._core.rows.items import Items
from summeval._core.rows.kernel import TextKernel
from summeval._core.text.analyzer import Analyzer

KINDS: dict[str, int]
AGGREGATES: dict[str, int]
TOO_LONG_TO_EXPLAIN: str
_Counts = tuple[float, float, float, float]
_Measure = tuple[str, int, bool, float]

@disjoint_base
class RougeKernel(TextKernel):
    def __init__(
        self,
        analyzer: Analyzer,
        measures: Sequence[_Measure],
        names: tuple[str, ...],
        aggregate: str = "max",
        jackknife: bool = False,
        script_digits: bool = False,
        alpha: float = 0.5,
    ) -> None: ...
    def count_batch(
        self,
        candidates: TextColumn,
        references: TextColumn,
        out: NDArray[float64],
        workers: int = 1,
    ) -> None: ...
    def fill_each(
        self,
        candidates: TextColumn,
        references: TextColumn,
        out: NDArray[float64],
        workers: int = 1,
    ) -> None: ...
    def find(
        self, candidate: str | bytes, references: Sequence[str | bytes]
    ) -> list[tuple[_Counts, list[tuple[float, list[int], list[int]]]]]: ...
    def items(
        self,
        texts: tuple[str, ...],
        weigh: Callable[[list[_Counts]], Iterable[tuple[int, float]]],
        most: int,
        tokens: tuple[tuple[bytes, Sequence[int], Sequence[int]], ...] = (),
        read: tuple[str | bytes, ...] | None = None,
    ) -> Items: ...
    def kept(self, text: str | bytes) -> tuple[int, int]: ...

def five_decimals(x: float) -> float: ...
def counts(
    analyzer: Analyzer,
    measures: Sequence[_Measure],
    candidates: Any,
    references: Any,
    workers: int = 1,
) -> tuple[NDArray[int64], NDArray[float64]]: ...
