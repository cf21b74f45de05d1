from collections.abc import Callable
from typing import Any, TypeVar

from numpy import float64
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from summeval._core.columns.columns import TextColumn
from summeval._core.rows.record import Score

_Table = TypeVar("_Table", bound=dict[str, Any])

@disjoint_base
class TextKernel:
    names: tuple[str, ...]
    on_foreign: Callable[[int, int], object] | None
    def fill_rows(
        self,
        candidates: TextColumn,
        references: TextColumn,
        out: NDArray[float64],
        workers: int = 1,
        refused: Any = None,
    ) -> None: ...
    def few_rows(
        self,
        kind: type[_Table],
        blank: dict[str, None],
        candidates: Any,
        references: Any,
        workers: int = 1,
    ) -> _Table | tuple[TextColumn, TextColumn, _Table | None]: ...
    def score_pair(self, candidate: Any, references: Any) -> dict[str, Score]: ...
    def prepare(self, references: Any) -> PreparedTexts: ...

@disjoint_base
class SummedKernel(TextKernel):
    statistics: int
    def of_sums(self, sums: NDArray[float64], out: NDArray[float64]) -> None: ...

@disjoint_base
class PreparedTexts:
    def score_pair(self, candidate: Any) -> dict[str, Score]: ...
    def fill_rows(
        self, candidates: TextColumn, out: NDArray[float64], workers: int = 1, refused: Any = None
    ) -> None: ...
