from typing_extensions import disjoint_base

from summeval._core.rows.kernel import SummedKernel

SMOOTHINGS: dict[str, int]

@disjoint_base
class BleuKernel(SummedKernel):
    def __init__(
        self,
        name: str,
        fields: tuple[str, ...],
        tokenizer: str,
        least_order: int,
        max_order: int,
        gleu: bool = False,
        smoothing: str = "none",
        smoothing_value: float = 0.0,
        effective_order: bool = False,
    ) -> None: ...
