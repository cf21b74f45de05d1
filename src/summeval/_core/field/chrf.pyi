from typing_extensions import disjoint_base

from summeval._core.rows.kernel import SummedKernel

@disjoint_base
class ChrfKernel(SummedKernel):
    def __init__(
        self, name: str, char_order: int, word_order: int, beta: float, whitespace: bool, eps: bool
    ) -> None: ...
