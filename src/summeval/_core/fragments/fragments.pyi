from collections.abc import Sequence

from typing_extensions import disjoint_base

from summeval._core.rows.kernel import TextKernel
from summeval._core.text.analyzer import Analyzer

FIELDS: tuple[str, ...]

@disjoint_base
class FragmentKernel(TextKernel):
    def __init__(self, analyzer: Analyzer, name: str) -> None: ...
    def find(
        self, candidate: str | bytes, source: Sequence[str | bytes | None] | str
    ) -> list[tuple[int, int, int, int]]: ...
