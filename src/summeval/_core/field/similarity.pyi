from typing_extensions import disjoint_base

from summeval._core.rows.kernel import TextKernel

FIELDS: tuple[str, ...]

@disjoint_base
class SimilarityKernel(TextKernel):
    def __init__(self, name: str) -> None: ...
