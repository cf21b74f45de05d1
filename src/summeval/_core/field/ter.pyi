from typing_extensions import disjoint_base

from summeval._core.rows.kernel import SummedKernel

@disjoint_base
class TerKernel(SummedKernel):
    def __init__(self, name: str, tokenizer: int) -> None: ...
    def trace(
        self, candidate: str, reference: str
    ) -> tuple[list[tuple[int, int, int, int]], str]: ...
