from collections.abc import Sequence

from typing_extensions import disjoint_base

from summeval._core.rows.kernel import TextKernel

KINDS: dict[str, int]

@disjoint_base
class GraphKernel(TextKernel):
    def __init__(
        self,
        names: tuple[str, ...],
        measures: Sequence[tuple[str, float, float]],
        min_n: int,
        max_n: int,
        window: int,
        released: bool,
    ) -> None: ...
    def find(
        self, candidate: str, references: Sequence[str], factors: Sequence[float]
    ) -> list[float]: ...
