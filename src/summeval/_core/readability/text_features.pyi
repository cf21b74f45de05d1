from numpy import float64
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from summeval._core.columns.columns import TextColumn
from summeval._core.likeness.likeness import WordTable

NAMES: tuple[str, ...]

@disjoint_base
class TextFeatures:
    def __init__(
        self,
        words: dict[bytes, tuple[int, bool, bool]],
        suffixes: list[tuple[bytes, int]],
        pairs: NDArray[float64],
        sentence_words: tuple[set[bytes], set[bytes], set[bytes], set[bytes]],
        vectors: WordTable | None = None,
    ) -> None: ...
    def rows(self, texts: TextColumn, workers: int = 1) -> NDArray[float64]: ...
