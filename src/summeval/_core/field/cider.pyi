from numpy import uint32
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from summeval._core.columns.columns import TextColumn
from summeval._core.rows.kernel import TextKernel

@disjoint_base
class Frequencies:
    def __init__(self, rows: int, tokens: list[bytes], grams: NDArray[uint32]) -> None: ...
    @staticmethod
    def of(
        references: TextColumn, tokenizer: str, candidates: TextColumn | None = None
    ) -> Frequencies: ...
    @property
    def rows(self) -> int: ...
    def count(self, tokens: list[bytes]) -> int: ...
    def parts(self) -> tuple[int, list[bytes], NDArray[uint32]]: ...

@disjoint_base
class CiderKernel(TextKernel):
    def __init__(
        self, name: str, tokenizer: str, frequencies: Frequencies, sigma: float, clipped: bool
    ) -> None: ...
