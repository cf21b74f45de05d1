from collections.abc import Sequence

from summeval._core.rows.kernel import TextKernel

KINDS: dict[str, int]

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
