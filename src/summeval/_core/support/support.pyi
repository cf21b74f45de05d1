from collections.abc import Sequence

from typing_extensions import disjoint_base

from summeval._core.rows.kernel import TextKernel
from summeval._core.text.analyzer import Analyzer

FIELDS: tuple[str, ...]

_Origin = tuple[int, int, int]

@disjoint_base
class SupportKernel(TextKernel):
    def __init__(
        self,
        analyzer: Analyzer,
        name: str,
        sentence_words: tuple[set[bytes], ...],
        by_rules: bool,
        turning: set[bytes],
    ) -> None: ...
    def words(self, text: str) -> list[tuple[int, int, bool, bool, bool, bool]]: ...
    def trace(
        self, candidate: str, source: str | Sequence[str | None]
    ) -> list[tuple[int, int, float, float, _Origin | None]]: ...
