from typing_extensions import disjoint_base

from summeval._core.rows.kernel import SummedKernel

UNITS: dict[str, int]

@disjoint_base
class WerKernel(SummedKernel):
    def __init__(self, name: str, units: str) -> None: ...
    def align(self, candidate: str | bytes, reference: str | bytes) -> str: ...
