from typing_extensions import disjoint_base

from summeval._core.rows.kernel import SummedKernel

def rewritten(
    text: bytes, normalized: bool = False, punctuation: bool = True, asian: bool = False
) -> bytes: ...

@disjoint_base
class TerKernel(SummedKernel):
    def __init__(self, name: str, normalized: bool, punctuation: bool, asian: bool) -> None: ...
    def trace(
        self, candidate: str, reference: str
    ) -> tuple[list[tuple[int, int, int, int]], str]: ...
